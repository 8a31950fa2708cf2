"""Events of a run, at zeros of functions of (q, v); and warnings at the end of a run."""
