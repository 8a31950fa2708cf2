"""The command `gambol plan`."""
