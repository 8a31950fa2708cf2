"""Contact beside MuJoCo: the same figures and starts, steps at which both are equally accurate, then the time."""
