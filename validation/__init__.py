"""Problems with known answers: gambol compared with closed forms, other derivations and published numbers."""
