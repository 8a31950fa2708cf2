"""The options of a walk of a creature by name, as given by the user."""

from dataclasses import dataclass

from gambol.lanes import Precision


@dataclass(frozen=True)
class CreatureRequest:
    """The options of the command line, as given by the user; None: the default of the creature.

    slope [degrees], push [N]. Of directed creatures: speeds [m/s]; turn [degrees/s]; style: words such as "tired" or
    "tired=0.5"; path: a file; hold: True if a compass holds the heading; variation: of stride times; crab: speed to the
    left [cm/s]; backward: True to walk backward.
    """

    name: str
    gait: str | None = None
    speed: float | None = None
    slope: float | None = None
    push: float | None = None
    ground: str | None = None
    spacing: float = 0.05
    seconds: float | None = None
    seed: int = 0
    precision: Precision = "float64"
    lanes: int = 1
    contact: str | None = None
    speeds: tuple[float, ...] = ()
    turn: float | None = None
    style: tuple[str, ...] = ()
    path: str | None = None
    hold: bool | None = None
    variation: float | None = None
    crab: float | None = None
    backward: bool | None = None
