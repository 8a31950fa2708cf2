"""Events of a run between the frames of its film, at zeros of functions of (q, v); warnings at its end."""
