"""Tools as contracts, and the dispatcher that stands between a plan and the world."""
