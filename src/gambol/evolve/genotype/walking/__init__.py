"""The control "stride": the waves of all joints of a body with legs, from the 21 numbers of a walk."""
