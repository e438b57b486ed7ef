"""The sandboxed interpreter as a tool: evidence in as data, a value out that can be followed and computed again."""
