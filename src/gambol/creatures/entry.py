"""A creature by name: the function that makes its world, and data for measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

from gambol.creatures.changing_gait import gait_names
from gambol.errors import WorldError, did_you_mean
from gambol.world import World

OPTIONS = (
    "speed",
    "gait",
    "ground",
    "slope",
    "contact",
    "push",
    "seed",
    "turn",
    "style",
    "path",
    "sideways",
    "hold",
    "variation",
)
"""Names of the options that makers of creatures may take."""

IN_A_PLANE: Mapping[str, str] = dict.fromkeys(("turn", "path", "sideways"), "it moves in a vertical plane")
"""What creatures in a plane cannot do, and the reason."""


@dataclass(frozen=True, slots=True)
class CreatureEntry:
    """A row of the table CREATURES.

    name: name for users. summary: description and source in one line. make_world: a function with keyword-only
    arguments in OPTIONS, all with defaults; it returns a world with a controller, whose `initial` is the initial state
    of the creature. seconds: default duration of a run [s]. limbs: for each limb by name, links with parts that touch
    the ground while it stands. trunk: the link that represents the motion of the creature. fall_height: height of the
    trunk's centre of mass above the ground below which the creature has fallen [m]. height: standing height, for the
    size of hills [m]. stride_limb: the limb whose touchdowns begin strides; "" for a creature, such as a snake, whose
    strides have the duration stride_period [s], which may be a function of the creature's world. gaits: names that its
    option `gait` takes. timed_speed: True if `speed` may be pairs of time [s] and speed; timed_gait: True if
    `gait` may be pairs of time [s] and name, which make the gait an input of the program. course_speed(world): speed at
    which it follows a path [m/s]; None without an option `path`. backward_speed: a speed at which it walks backward, if
    `speed` is below 0 [m/s]; 0 if it cannot. lacks: reasons, for messages, why it has no option of a name, which its
    maker may take, or does not walk "backward".
    """

    name: str
    summary: str
    make_world: Callable[..., World]
    seconds: float
    limbs: Mapping[str, tuple[str, ...]]
    trunk: str
    fall_height: float
    height: float
    stride_limb: str = ""
    stride_period: float | Callable[[World], float] = 0.0
    gaits: tuple[str, ...] = ()
    course_speed: Callable[[World], float] | None = None
    timed_speed: bool = False
    timed_gait: bool = False
    backward_speed: float = 0.0
    lacks: Mapping[str, str] = field(default_factory=dict[str, str])
    options: tuple[str, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        names = tuple(signature(self.make_world).parameters)
        if unknown := [name for name in names if name not in OPTIONS]:
            raise WorldError(f'the maker of "{self.name}" takes "{unknown[0]}"; {did_you_mean(unknown[0], OPTIONS)}')
        periodic = callable(self.stride_period) or self.stride_period > 0.0
        if self.stride_limb not in self.limbs and not (self.stride_limb == "" and periodic):
            raise WorldError(
                f'"{self.name}" has no limb "{self.stride_limb}"; give stride_limb one of its limbs, or a stride_period'
            )
        object.__setattr__(self, "options", tuple(name for name in names if name not in self.lacks))

    def period(self, world: World) -> float:
        """Return the duration of a stride of a creature without a stride_limb [s]; world: a world of the creature."""
        return self.stride_period(world) if callable(self.stride_period) else self.stride_period

    def world(self, **options: Any) -> World:
        """Return its world. options: options by name, see OPTIONS; None means the default.

        Raises WorldError for an option or a gait that it does not have, and for impossible values.
        """
        given = {name: value for name, value in options.items() if value is not None}
        for name in given:
            if name not in self.options:
                reason = f", because {self.lacks[name]}" if name in self.lacks else ""
                known = ", ".join(self.options) or "none"
                what = "other gait" if name == "gait" and reason else name
                raise WorldError(f'"{self.name}" has no {what}{reason}; its options are {known}')
        if "gait" in given and self.gaits:
            for gait in gait_names(given["gait"]):
                if gait not in self.gaits:
                    raise WorldError(f'"{self.name}" has no gait "{gait}"; {did_you_mean(gait, self.gaits)}')
        world = self.make_world(**given)
        for limb, links in self.limbs.items():
            if others := [link for link in links if link not in world.surface.feet]:
                raise WorldError(
                    f'the link "{others[0]}" of the limb "{limb}" is not among the feet of the world: '
                    f"{', '.join(world.surface.feet)}"
                )
        return world
