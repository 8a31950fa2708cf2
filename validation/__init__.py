"""Problems with known answers: what gambol gives beside closed forms, other derivations and published numbers."""
