"""Evolution of creatures: genotypes, search algorithms, tasks, runs and their archive."""
