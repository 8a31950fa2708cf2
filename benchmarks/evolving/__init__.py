"""Evolution: whole lives beside bare steps and beside MuJoCo, bodies of all kinds, workers, archives and long runs."""
