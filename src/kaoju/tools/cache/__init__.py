"""Earlier replies that may serve again."""
