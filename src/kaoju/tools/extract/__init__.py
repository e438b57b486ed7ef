"""Passages in, typed rows out, each field with the place where it stands."""
