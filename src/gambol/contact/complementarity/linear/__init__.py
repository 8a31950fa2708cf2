"""Linear complementarity with bounds, by pivoting and by iteration."""
