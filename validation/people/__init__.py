"""People by name: the pushes, slopes and steps that they survive."""
