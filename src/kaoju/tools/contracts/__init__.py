"""Contracts in files: read, checked, reloaded."""
