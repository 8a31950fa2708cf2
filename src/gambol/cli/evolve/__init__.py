"""The commands about evolution: evolve, lineage, replay and breed."""
