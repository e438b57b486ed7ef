"""Where people and programs meet the engine."""
