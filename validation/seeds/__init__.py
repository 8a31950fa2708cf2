"""Ten seeds of each animal: how often evolution with the default settings finds a good walk, and in which time."""
