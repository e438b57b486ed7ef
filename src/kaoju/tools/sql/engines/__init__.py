"""What runs inside the child process: one adapter per database engine."""
