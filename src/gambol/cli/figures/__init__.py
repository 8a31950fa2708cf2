"""The commands that take a figure from a file: run, inspect, convert."""
