"""Evolution: rollouts compared with bare steps and with MuJoCo, random bodies, workers, archives and long runs."""
