"""The knowledge base: files in, passages and tables out."""
