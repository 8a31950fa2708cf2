"""The one family of errors that gambol raises at its border."""


class GambolError(ValueError):
    """Something the caller gave cannot be used; the message names it, says where it is and what would be right."""


class FigureError(GambolError):
    """A figure that cannot exist: a missing parent, two links of one name, an inertia that no body can have."""


class WorldError(GambolError):
    """A world that cannot be run: a non-finite start, a tolerance that the precision cannot meet, a bad ground."""


class TraceError(TypeError):
    """Code that was being traced did what a traced value cannot do, such as asking it for its truth."""
