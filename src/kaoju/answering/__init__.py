"""From evidence to an answer that holds: compose, cite, verify, decide."""
