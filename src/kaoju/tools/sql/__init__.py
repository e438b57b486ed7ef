"""SQL over the ingested tables: written by patterns or by a model, guarded, run in a child process."""
