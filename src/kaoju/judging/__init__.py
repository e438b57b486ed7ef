"""Verdicts on tasks and evidence, and what a run does next."""
