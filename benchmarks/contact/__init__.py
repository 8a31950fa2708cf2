"""Contact compared with MuJoCo: equal figures and initial states, step sizes of equal accuracy, then the time."""
