"""The procedural human walk of Bruderlin and Calvert: its parameters and its motion, as a kinematic reference."""
