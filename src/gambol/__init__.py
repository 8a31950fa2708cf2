"""gambol simulates and animates legged creatures. What is named here is loaded when it is first used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gambol.collide import HeightGrid, Plane
    from gambol.collide.hills import random_hills
    from gambol.creatures import Creature, roach, set_down, world_of
    from gambol.creatures.calibration import calibrate
    from gambol.creatures.terrain import hills_for, standing_height
    from gambol.errors import FigureError, GambolError, TraceError, WorldError
    from gambol.figure import Figure
    from gambol.view import write_page, write_pattern, write_picture, write_video
    from gambol.world import Engine, Film, Shove, State, Timing, Walk, World, measure, run, start

__all__ = [
    "Creature",
    "Engine",
    "Figure",
    "FigureError",
    "Film",
    "GambolError",
    "HeightGrid",
    "Plane",
    "Shove",
    "State",
    "Timing",
    "TraceError",
    "Walk",
    "World",
    "WorldError",
    "calibrate",
    "hills_for",
    "measure",
    "random_hills",
    "roach",
    "run",
    "set_down",
    "standing_height",
    "start",
    "world_of",
    "write_page",
    "write_pattern",
    "write_picture",
    "write_video",
]

HOMES = {
    "gambol.collide": ("HeightGrid", "Plane"),
    "gambol.collide.hills": ("random_hills",),
    "gambol.creatures": ("Creature", "roach", "set_down", "world_of"),
    "gambol.creatures.calibration": ("calibrate",),
    "gambol.creatures.terrain": ("hills_for", "standing_height"),
    "gambol.errors": ("FigureError", "GambolError", "TraceError", "WorldError"),
    "gambol.figure": ("Figure",),
    "gambol.view": ("write_page", "write_pattern", "write_picture", "write_video"),
    "gambol.world": (
        "Engine", "Film", "Shove", "State", "Timing", "Walk", "World", "measure", "run", "start",
    ),
}  # fmt: skip
_HOME_OF = {name: home for home, names in HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'gambol' has no attribute {name!r}", name=name, obj=import_module("gambol"))
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
