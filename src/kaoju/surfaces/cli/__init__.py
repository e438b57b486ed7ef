"""The `kaoju` command, one file per command."""
