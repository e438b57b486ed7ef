"""The run: loop, scheduler, budget, events, wiring, and the public engine."""
