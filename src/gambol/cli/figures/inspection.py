"""The command `gambol inspect`: what a figure is made of, as a tree to read and a picture to look at."""

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from gambol.cli.figures.pairs import pairs_shown
from gambol.creatures.beginning import beginning
from gambol.creatures.specimens import world_of_specimen
from gambol.figure import JOINTS, Closure, Constraint, JointSpring, PlacedLink, Springs, spring_places
from gambol.formats import Motor, Specimen
from gambol.view import above_floor, posed, write_still

DIM = "dim"


def shown(specimen: Specimen) -> RenderableType:
    """All that there is to tell of a specimen."""
    parts: list[RenderableType] = [_head(specimen), "", _tree(specimen)]
    if specimen.figure.constraints:
        parts += ["", Text("constraints", style="bold"), *(_constraint(c) for c in specimen.figure.constraints)]
    if specimen.motors:
        parts += ["", _motors(specimen.motors)]
    if (pairs := pairs_shown(specimen)) is not None:
        parts += ["", pairs]
    parts += ["", *(Text(f"note: {note}", style=DIM) for note in specimen.notes)] if specimen.notes else []
    return Group(*parts)


def drawn(specimen: Specimen, path: Path) -> Path:
    """Write a picture (.png) of a specimen where it begins to move. Raises GambolError where it cannot begin."""
    film = posed(specimen.figure, beginning(specimen, world_of_specimen(specimen)).q)
    return write_still(film if specimen.ground else above_floor(film), path)


def _head(specimen: Specimen) -> RenderableType:
    """What the figure is in numbers."""
    figure = specimen.figure
    shapes = sum(len(link.parts) for link in figure.links)
    held = ", less what the constraints hold" if figure.constraints else ""
    rows = (
        ("figure", figure.name),
        ("links", f"{len(figure.links)}, with {shapes} shapes"),
        ("degrees of freedom", f"{figure.nv} ({figure.nq} coordinates)" + held),
        ("constraints", str(len(figure.constraints))),
        ("motors", str(len(specimen.motors))),
        ("mass", _mass(figure.mass)),
        ("gravity", f"{_vector(specimen.gravity)} m/s2, " + ("with a ground" if specimen.ground else "no ground")),
    )
    table = Table(box=None, pad_edge=False, show_header=False)
    for title, value in rows:
        table.add_row(Text(title, style=DIM), Text(value))
    return table


def _tree(specimen: Specimen) -> Tree:
    """The links, each below the one that it hangs on."""
    figure = specimen.figure
    tree = Tree(Text("world", style=DIM), guide_style=DIM)
    branches = {0: tree}
    for link in figure.links:
        branch = branches[link.parent_index].add(_link(link))
        if link.name in specimen.springs:
            for line in _springs(link, specimen.springs[link.name]):
                branch.add(Text(line, style=DIM))
        branches[link.index] = branch
    return tree


def _link(link: PlacedLink) -> Text:
    """One link in a line: its joint, its mass, what it looks like."""
    joint, kind = link.joint, JOINTS[link.joint.kind]
    words = [joint.kind]
    words += [f"about {_vector(joint.axis)}"] if kind.axes and joint.kind != "sliding" else []
    words += [f"along {_vector(joint.axis)}"] if joint.kind == "sliding" else []
    words += [f"pitch {joint.pitch:.4g} m/rad"] if joint.pitch else []
    words += [f"radii {joint.radius:.4g} on {joint.parent_radius:.4g} m"] if joint.kind == "rolling" else []
    words += [f"at {_vector(joint.position)}"] if any(joint.position) else []
    words += [f"rotor {joint.armature:.4g} {'kg' if joint.kind == 'sliding' else 'kg m2'}"] if joint.armature else []
    mass = link.mass_properties.mass
    shapes = ", ".join(_counted(part.shape.kind for part in link.parts))
    return Text.assemble(
        (link.name, "bold"),
        "  ",
        " ".join(words),
        (f"  {_mass(mass) if mass else 'no mass'}", "cyan"),
        (f"  {shapes}", DIM),
    )


def _counted(words: Iterable[str]) -> Iterator[str]:
    """Each word once, with how often it was there."""
    all_words = list(words)
    for word in dict.fromkeys(all_words):
        count = all_words.count(word)
        yield word if count == 1 else f"{count} x {word}"


def _springs(link: PlacedLink, springs: Springs) -> Iterator[str]:
    """A line for each place of a joint where something acts."""
    each = springs if isinstance(springs, tuple) else (springs,)
    units = JOINTS[link.joint.kind].q_units
    for spring, place in zip(each, spring_places(link.joint.kind), strict=True):
        k = int(place.start)
        if words := ", ".join(_terms(spring, units[k] == "m")):
            yield (f"coordinate {k + 1}: " if len(each) > 1 else "") + words


def _terms(spring: JointSpring, slides: bool) -> Iterator[str]:
    force, unit = ("N", "m") if slides else ("N m", "rad")
    per = "" if spring.scale == "none" else f" per kg of {spring.scale}"
    if math.isfinite(spring.lower) or math.isfinite(spring.upper):
        yield f"limits {spring.lower:.4g} to {spring.upper:.4g} {unit}"
    if spring.stiffness:
        yield f"spring {spring.stiffness:.4g} {force}/{unit}{per}, slack at {spring.rest:.4g} {unit}"
    if spring.alpha:
        rise = f"{spring.beta:.4g} /{unit}"
        yield f"exponential spring {spring.alpha:.4g} {force}{per}, {rise}, slack at {spring.rest:.4g} {unit}"
    if spring.damping:
        yield f"damper {spring.damping:.4g} {force} s/{unit}{per}"
    if spring.friction:
        yield f"friction {spring.friction:.4g} {force}{per}"
    if spring.bias:
        yield f"bias {spring.bias:.4g} {force}"


def _constraint(constraint: Constraint) -> Text:
    if isinstance(constraint, Closure):
        other = f'"{constraint.other}"' if constraint.other else "the world"
        length = f" of {constraint.length:.4g} m" if constraint.length else ""
        return Text(f'  {constraint.kind}{length}: "{constraint.link}" to {other}')
    terms = [f"{c:.4g}" + (f" q^{k}" if k > 1 else " q" * k) for k, c in enumerate(constraint.coefficients) if c]
    other = f' of "{constraint.other}"' if constraint.other else ""
    return Text(f'  coupling: q of "{constraint.joint}" = {" + ".join(terms) or "0"}{other}')


def _motors(motors: Sequence[Motor]) -> Table:
    table = Table(box=None, pad_edge=False, title="motors", title_justify="left", title_style="bold")
    for column in ("name", "joint", "kind", "gear", "gain", "control", "force"):
        table.add_column(column, header_style=DIM)
    for m in motors:
        gear = ", ".join(f"{g:.4g}" for g in m.gear)
        reach = (_range(m.lower, m.upper), _range(m.weakest, m.strongest))
        table.add_row(Text(m.name), Text(m.joint), m.kind, gear, f"{m.gain:.4g}", *reach)
    return table


def _range(low: float, high: float) -> str:
    return "" if math.isinf(low) and math.isinf(high) else f"{low:.4g} to {high:.4g}"


def _vector(values: Sequence[float]) -> str:
    return "(" + ", ".join(f"{x + 0.0:.4g}" for x in values) + ")"


def _mass(kilograms: float) -> str:
    """A mass in the unit people would use."""
    for unit, size in (("kg", 1.0), ("g", 1e-3), ("mg", 1e-6)):
        if kilograms >= size:
            return f"{kilograms / size:.4g} {unit}"
    return f"{kilograms:.4g} kg"
