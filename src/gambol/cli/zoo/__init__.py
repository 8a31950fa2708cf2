"""The command `gambol zoo`: a site of all creatures that come with gambol."""
