"""The commands about evolution: evolve, lineage, replay, breed and compare."""
