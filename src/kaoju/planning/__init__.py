"""From a question to a valid plan."""
