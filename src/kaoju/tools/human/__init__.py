"""A person as a source."""
