"""Functions as tools, and tools for Python programs."""
