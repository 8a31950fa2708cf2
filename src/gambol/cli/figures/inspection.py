"""The command `gambol inspect`: describes a figure by a tree of text and a picture."""

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from gambol.cli.figures.pairs import describe_pairs
from gambol.cli.figures.scenes import scene_lines
from gambol.cli.figures.sources import ReadOptions, read_model
from gambol.cli.log import collected_warnings
from gambol.cli.session import DONE, Session
from gambol.cli.targets import check_target
from gambol.creatures.initial_configuration import initial_configuration
from gambol.creatures.make_scene import make_scene
from gambol.creatures.models import world_of_model
from gambol.figure import JOINTS, Closure, Constraint, JointSpring, PlacedLink, Springs, spring_slices
from gambol.formats import Model, Motor
from gambol.matter.scene import scene_film
from gambol.view import posture_film, with_floor, write_still
from gambol.world import Film

DIM = "dim"
UNBROKEN_WIDTH = 10_000  # columns of output to a file or a pipe, so that no line is broken


def inspect_file(session: Session, file: Path, picture: Path, options: ReadOptions) -> int:
    """Print the description of a figure, and write its picture; return the exit code, 0.

    Raises GambolError before any file is written.
    """
    check_target(picture, "--picture", ".png", "a picture")
    output, errors = session.console, session.error_console
    with collected_warnings() as notes, errors.status(Text(f"reading {file.name}")):
        model = read_model(file, options)
    session.warn(notes)
    if not output.is_terminal:
        output.width = UNBROKEN_WIDTH
    output.print(describe(model))
    with errors.status(Text(f"drawing {picture}")):
        draw(model, picture)
    session.print_line(f"wrote {picture}")
    return DONE


def describe(model: Model) -> RenderableType:
    """Return the description of a model to print."""
    sections: list[RenderableType] = [_overview(model), "", _link_tree(model)]
    if model.figure.constraints:
        sections += ["", Text("constraints", style="bold"), *(_constraint_line(c) for c in model.figure.constraints)]
    if model.motors:
        sections += ["", _motor_table(model.motors)]
    if model.matter is not None:
        sections += ["", Text("matter", style="bold"), *map(Text, scene_lines(model))]
    if (pairs := describe_pairs(model)) is not None:
        sections += ["", pairs]
    sections += ["", *(Text(f"note: {note}", style=DIM) for note in model.notes)] if model.notes else []
    return Group(*sections)


def draw(model: Model, path: Path) -> Path:
    """Write a picture (.png) of a model in its initial state. Raises GambolError if its loops cannot be closed."""
    return write_still(film_above_floor(model), path)


def film_above_floor(model: Model) -> Film:
    """Return a film of one frame, see model_film(); above a floor if the model has no ground."""
    film = model_film(model)
    return film if model.ground else with_floor(film)


def model_film(model: Model) -> Film:
    """Return a film of one frame: a model in its initial state.

    Raises GambolError if its loops cannot be closed.
    """
    if model.matter is not None:
        scene = make_scene(model)
        return scene_film(scene, [scene.start()])
    return posture_film(model.figure, initial_configuration(model, world_of_model(model)).q)


def _overview(model: Model) -> RenderableType:
    """Return a table: numbers of links, shapes, degrees of freedom, constraints and motors; mass and gravity."""
    figure = model.figure
    shapes = sum(len(link.parts) for link in figure.links)
    qualifier = ", before constraints" if figure.constraints else ""
    rows = (
        ("figure", figure.name),
        ("links", f"{len(figure.links)}, with {shapes} shapes"),
        ("degrees of freedom", f"{figure.nv} ({figure.nq} coordinates)" + qualifier),
        ("constraints", str(len(figure.constraints))),
        ("motors", str(len(model.motors))),
        ("mass", _mass_text(figure.mass)),
        ("gravity", f"{_vector_text(model.gravity)} m/s2, " + ("with a ground" if model.ground else "no ground")),
    )
    table = Table(box=None, pad_edge=False, show_header=False)
    for title, value in rows:
        table.add_row(Text(title, style=DIM), Text(value))
    return table


def _link_tree(model: Model) -> Tree:
    """Return the tree of links, each below its parent."""
    figure = model.figure
    tree = Tree(Text("world", style=DIM), guide_style=DIM)
    branches = {0: tree}
    for link in figure.links:
        branch = branches[link.parent_index].add(_link_line(link))
        if link.name in model.springs:
            for line in _spring_lines(link, model.springs[link.name]):
                branch.add(Text(line, style=DIM))
        branches[link.index] = branch
    return tree


def _link_line(link: PlacedLink) -> Text:
    """Return a line that describes a link: its joint, its mass and its shapes."""
    joint, kind = link.joint, JOINTS[link.joint.kind]
    text = [joint.kind]
    slides = kind.slides == kind.nv > 0  # it has velocities, all of them linear
    text += [f"{'along' if slides else 'about'} {_vector_text(joint.axis)}"] if kind.axes else []
    text += [f"pitch {joint.pitch:.4g} m/rad"] if joint.pitch else []
    # kind.numbers: the names of the numbers of a Joint that joints of this kind use
    text += [f"radii {joint.radius:.4g} on {joint.parent_radius:.4g} m"] if "radius" in kind.numbers else []
    text += [f"at {_vector_text(joint.position)}"] if any(joint.position) else []
    text += [f"rotor {joint.armature:.4g} {'kg' if slides else 'kg m2'}"] if joint.armature else []
    mass = link.mass_properties.mass
    shapes = ", ".join(_with_counts(part.shape.kind for part in link.parts))
    return Text.assemble(
        (link.name, "bold"),
        "  ",
        " ".join(text),
        (f"  {_mass_text(mass) if mass else 'no mass'}", "cyan"),
        (f"  {shapes}", DIM),
    )


def _with_counts(words: Iterable[str]) -> Iterator[str]:
    """Yield each distinct word; a word that occurs several times has its count."""
    word_list = list(words)
    for word in dict.fromkeys(word_list):
        count = word_list.count(word)
        yield word if count == 1 else f"{count} x {word}"


def _spring_lines(link: PlacedLink, springs: Springs) -> Iterator[str]:
    """Yield a line for each spring of a joint, unless it has no effect."""
    spring_list = springs if isinstance(springs, tuple) else (springs,)
    units = JOINTS[link.joint.kind].q_units
    for spring, coordinates in zip(spring_list, spring_slices(link.joint.kind), strict=True):
        k = int(coordinates.start)
        if text := ", ".join(_spring_terms(spring, units[k] == "m")):
            yield (f"coordinate {k + 1}: " if len(spring_list) > 1 else "") + text


def _spring_terms(spring: JointSpring, is_prismatic: bool) -> Iterator[str]:
    force, unit = ("N", "m") if is_prismatic else ("N m", "rad")
    per = "" if spring.scale == "none" else f" per kg of {spring.scale}"
    if math.isfinite(spring.lower) or math.isfinite(spring.upper):
        yield f"limits {spring.lower:.4g} to {spring.upper:.4g} {unit}"
    if spring.stiffness:
        yield f"spring {spring.stiffness:.4g} {force}/{unit}{per}, rest at {spring.rest:.4g} {unit}"
    if spring.alpha:
        rise = f"{spring.beta:.4g} /{unit}"
        yield f"exponential spring {spring.alpha:.4g} {force}{per}, {rise}, rest at {spring.rest:.4g} {unit}"
    if spring.damping:
        yield f"damper {spring.damping:.4g} {force} s/{unit}{per}"
    if spring.friction:
        yield f"friction {spring.friction:.4g} {force}{per}"
    if spring.bias:
        yield f"bias {spring.bias:.4g} {force}"


def _constraint_line(constraint: Constraint) -> Text:
    if isinstance(constraint, Closure):
        other = f'"{constraint.other}"' if constraint.other else "the world"
        length = f" of {constraint.length:.4g} m" if constraint.length else ""
        return Text(f'  {constraint.kind}{length}: "{constraint.link}" to {other}')
    # c, c q, c q^2, ...
    terms = [f"{c:.4g}" + (f" q^{k}" if k > 1 else " q" * k) for k, c in enumerate(constraint.coefficients) if c]
    other = f' of "{constraint.other}"' if constraint.other else ""
    return Text(f'  coupling: q of "{constraint.joint}" = {" + ".join(terms) or "0"}{other}')


def _motor_table(motors: Sequence[Motor]) -> Table:
    table = Table(box=None, pad_edge=False, title="motors", title_justify="left", title_style="bold")
    for column in ("name", "joint", "kind", "gear", "gain", "control", "force"):
        table.add_column(column, header_style=DIM)
    for m in motors:
        gear = ", ".join(f"{g:.4g}" for g in m.gear)
        # weakest, strongest: the limits of the signed force
        ranges = (_range_text(m.lower, m.upper), _range_text(m.weakest, m.strongest))
        table.add_row(Text(m.name), Text(m.joint), m.kind, gear, f"{m.gain:.4g}", *ranges)
    return table


def _range_text(low: float, high: float) -> str:
    return "" if math.isinf(low) and math.isinf(high) else f"{low:.4g} to {high:.4g}"


def _vector_text(values: Sequence[float]) -> str:
    # + 0.0 turns -0.0 into 0.0
    return "(" + ", ".join(f"{x + 0.0:.4g}" for x in values) + ")"


def _mass_text(kilograms: float) -> str:
    """Return a mass as text in kg, g or mg."""
    for unit, size in (("kg", 1.0), ("g", 1e-3), ("mg", 1e-6)):
        if kilograms >= size:
            return f"{kilograms / size:.4g} {unit}"
    return f"{kilograms:.4g} kg"
