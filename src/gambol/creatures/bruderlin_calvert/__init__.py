"""The procedural human walk of Bruderlin and Calvert, and a simulated person in the plane that follows it."""
