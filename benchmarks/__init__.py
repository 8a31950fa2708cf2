"""Benchmarks: rows of data, and one runner that checks each result before it measures its time."""
