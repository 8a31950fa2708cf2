"""Benchmarks: rows of data, and one runner that checks a result before it times how it is made."""
