"""Problems of contact with known answers: every method of a world that can do one, beside every other."""
