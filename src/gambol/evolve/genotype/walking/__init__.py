"""The control "stride": a walk as a few numbers, from which the waves of all joints follow for any body with legs."""
