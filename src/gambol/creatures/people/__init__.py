"""People who walk and run: their bodies, their state machines, and the laws that balance them."""
