"""The reflex walker of Geyer and Herr: seven segments, fourteen muscles, and reflexes alone."""
