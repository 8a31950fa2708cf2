"""Random courses for the roach: families of sixteen, each walked in lanes and counted by a criterion fixed before."""
