"""Tests of the knowledge base."""
