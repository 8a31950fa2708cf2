"""The command `gambol collision`: a picture of how a collision of a figure, with the ground or itself, proceeds."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from rich.table import Table
from rich.text import Text

from gambol.cli import console
from gambol.cli.figures.sources import DEFAULT_OPTIONS, ReadOptions, read_model
from gambol.cli.targets import check_target
from gambol.collide.pairs import gaps
from gambol.contact.generation.ground_points import ground_points
from gambol.contact.generation.sources import part_pose
from gambol.contact.impulse import SlipFlow, collision_course, contact_collision
from gambol.creatures.initial_configuration import initial_configuration
from gambol.creatures.models import world_of_model
from gambol.dynamics import Kinematics, kinematics
from gambol.errors import GambolError, did_you_mean
from gambol.figure import Figure, PlacedLink
from gambol.formats import Model
from gambol.spatial import Vector
from gambol.view import write_collision_flow

MAX_FRICTIONS = 8
"""Maximum number of columns of the picture."""

UP = Vector(0.0, 0.0, 1.0)
"""Normal of the ground."""


@dataclass(frozen=True)
class CollisionRequest:
    """The arguments of `gambol collision`; see gambol.cli.figures.commands.collision()."""

    file: Path
    picture: Path
    link: str | None = None
    other: str | None = None
    velocity: str = "1,0.5,-1"
    friction: tuple[float, ...] = (0.3, 0.4, 0.7)
    restitution: float = 0.0
    read_options: ReadOptions = DEFAULT_OPTIONS


@dataclass(frozen=True)
class CollisionPoint:
    """Where a link of a figure collides.

    link: its name. other: the other link; None: the ground. point [m] and normal, in world axes; the normal is the
    direction in which `link` is pushed.
    """

    link: str
    point: Vector
    normal: Vector = UP
    other: str | None = None

    def __str__(self) -> str:
        """Return the collision in words."""
        obstacle = "the ground" if self.other is None else f'link "{self.other}"'
        along = "" if self.other is None else f", along {_words(self.normal)}"
        return f'link "{self.link}" hits {obstacle} at {_words(self.point)} m{along}'


def draw_collision(request: CollisionRequest) -> int:
    """Write the picture of a collision, and print its matrix and its outcome; return the exit code."""
    check_target(request.picture, "--picture", ".png", "a picture")
    velocity, frictions = read_velocity(request.velocity), _checked(request)
    model = read_model(request.file, request.read_options)
    q = initial_configuration(model, world_of_model(model)).q
    state = kinematics(model.figure, list(q), [0.0] * model.figure.nv)
    at = _lowest(model, state, request.link) if request.other is None else _nearest(model, state, request)
    still = (q, [0.0] * model.figure.nv)
    K, _ = contact_collision(model.figure, still, at.link, list(at.point), normal=list(at.normal), other=at.other)
    write_collision_flow(K, request.picture, frictions=frictions, velocity=velocity, e=request.restitution)
    table = Table(box=None, pad_edge=False)
    for title in ("friction", "after a stop", "velocity after [m/s]", "impulse [N s]"):
        table.add_column(title)
    for mu in frictions:
        course = collision_course(K, velocity, mu, request.restitution)
        after, impulse = (_words(row[-1]) for row in (course.velocity, course.impulse))
        table.add_row(f"{mu:g}", "sticks" if SlipFlow(K, mu).sticks else "slides on", after, impulse)
    output = console.output_console()
    output.print(Text(str(at)), soft_wrap=True)
    output.print(Text("K [1/kg]: " + "; ".join(_words(row) for row in K)), soft_wrap=True)
    output.print(table)
    output.print(Text(f"wrote {request.picture}"), soft_wrap=True)
    return 0


def read_velocity(text: str) -> tuple[float, float, float]:
    """Return the velocity X,Y,Z of a contact before a collision. Raises GambolError for other texts, and for Z >= 0."""
    try:
        x, y, z = (float(word) for word in text.split(","))
    except ValueError:
        x = y = z = math.nan
    if not (all(math.isfinite(a) and abs(a) < 1e6 for a in (x, y, z)) and z < 0.0):
        raise GambolError(f'--velocity: "{text[:60]}" is not X,Y,Z with Z below 0, such as --velocity 1,0.5,-1')
    return x, y, z


def _checked(request: CollisionRequest) -> tuple[float, ...]:
    if not 0.0 <= request.restitution <= 1.0:
        raise GambolError(f"--restitution is {request.restitution:g}; it must be from 0 to 1")
    if len(request.friction) > MAX_FRICTIONS:
        raise GambolError(f"--friction is given {len(request.friction)} times; a picture has {MAX_FRICTIONS} columns")
    if wrong := [mu for mu in request.friction if not 0.0 <= mu <= 1e3]:
        raise GambolError(f"--friction is {wrong[0]:g}; it must be from 0 to 1000")
    return request.friction


def _words(numbers: Iterable[float]) -> str:
    return " ".join(f"{x:.4g}" for x in numbers)


def _checked_link(figure: Figure, name: str, option: str) -> PlacedLink:
    """Return a link by its name. option: the option that gives it, for the error."""
    names = [link.name for link in figure.links]
    if name not in names:
        raise GambolError(f'{option}: figure "{figure.name}" has no link "{name}"; {did_you_mean(name, names)}')
    return figure.link(name)


def _lowest(model: Model, state: Kinematics, name: str | None) -> CollisionPoint:
    """Return the lowest contact point of a link, or of the whole figure."""
    figure = model.figure
    movable = [link for link in figure.links if figure.can_move(link.index)]
    lowest: CollisionPoint | None = None
    for link in movable if name is None else [_checked_link(figure, name, "--link")]:
        for point, radius in ground_points(link):
            p = state.poses[link.index] @ point - Vector(0.0, 0.0, radius)
            lowest = CollisionPoint(link.name, p) if lowest is None or p.z < lowest.point.z else lowest
    if lowest is None:
        owner = "the figure" if name is None else f'link "{name}"'
        raise GambolError(f"{owner} has no contact points, so it collides with nothing")
    return lowest


def _nearest(model: Model, state: Kinematics, request: CollisionRequest) -> CollisionPoint:
    """Return the point between two links of a figure where they are nearest, or overlap most."""
    figure, name, other = model.figure, request.link, request.other
    assert other is not None
    if name is None or name == other:
        raise GambolError(f'--other: link "{other}" needs a second link that hits it; give its name by --link')
    first, second = _checked_link(figure, name, "--link"), _checked_link(figure, other, "--other")
    found = [
        gap
        for a, b in product(first.parts, second.parts)
        if a.colliding and b.colliding
        for gap in gaps(a.shape, part_pose(state, first, a), b.shape, part_pose(state, second, b))
    ]
    if not found:
        raise GambolError(f'links "{name}" and "{other}" have no two shapes that collide')
    nearest = min(found, key=lambda gap: float(gap.size))
    return CollisionPoint(name, (nearest.point_a + nearest.point_b) * 0.5, nearest.normal, other)
