"""What happens in a run between the frames of its film: where functions of position and velocity vanish."""
