"""Everything between a plan and a tool."""
