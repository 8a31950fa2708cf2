"""The procedural human walk of Bruderlin and Calvert, and a person in the plane who walks after it."""
