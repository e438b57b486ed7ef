"""From a question to a valid plan: rules first, a model where they are unsure."""
