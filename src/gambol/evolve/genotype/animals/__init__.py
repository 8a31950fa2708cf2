"""Body plans of animals, as genotype files without a control."""
