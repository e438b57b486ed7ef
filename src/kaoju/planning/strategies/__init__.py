"""One file per way of attacking a question."""
