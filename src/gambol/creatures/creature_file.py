"""Reader of creature files: a trunk of boxes, and pairs of legs, of which the file contains the left leg.

roach.toml explains the keys. The right legs are mirror images in the plane y = 0: the angles, rest angles and motor
targets of a revolute joint change sign (see figure.mirror). Links are named as in McKenna's script: leg_fl0 is the
first link, from the body, of the front left leg.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import cast, get_args

from gambol.creatures.creature import (
    Creature,
    GaitValues,
    GroundValues,
    SteeringValues,
    StickyFootValues,
    TimingValues,
)
from gambol.errors import GambolError, did_you_mean
from gambol.figure import (
    IDENTITY,
    Box,
    Figure,
    Joint,
    JointSpring,
    Link,
    Matrix3,
    Part,
    Triple,
    compose,
    mirrored_joint,
    mirrored_part,
    rotated,
    rotation_about,
    transposed,
)
from gambol.figure.springs import Scale
from gambol.formats import Table, read_table
from gambol.gait import Leg, MotorCommand, ReflexTriggers, Side


@dataclass(frozen=True, slots=True)
class Reading:
    """A reading of doubtful lines of a script.

    printed: the lines as printed; page: their page; reason: the reason for this reading.
    """

    printed: str
    page: str
    reason: str


CENTIMETRE = 0.01  # m
SIDES: tuple[Side, ...] = ("left", "right")
SIGN: dict[Side, float] = {"left": 1.0, "right": -1.0}  # of a joint angle, relative to that of the left leg

LINK_KEYS = ("box_cm", "centre", "at", "turn_deg", "axis", "axis_in_parent")
SPRING_KEYS = ("start", "stiffness", "alpha", "beta", "damping", "rest", "scale")


def read_creature(text: str, file: str, parameters: str, readings: Sequence[str] = ()) -> Creature:
    """Return the creature of a file, with the changes of a named parameter set.

    text: text of the file. file: name of the file, for messages. parameters: name of the parameter set. readings: names
    of readings that are applied to the set, in this order. Raises GambolError for an invalid file or an unknown name,
    and FigureError if its links are not a valid figure.
    """
    table, one_sided = _with_changes(read_table(text, file), parameters, readings)
    table.check_keys("name", "density", "ground", "stick", "timing", "gait", "steering", "trunk", "legs", "after_loss")
    name, density, trunk, legs = table.text("name"), table.number("density"), table.table("trunk"), table.table("legs")
    legs_by_side: list[tuple[int, str, Table, Side]] = [
        (rank, key, legs.table(key), side) for rank, key in enumerate(legs) for side in SIDES
    ]
    links = [_trunk_link(key, trunk.table(key), density) for key in trunk]
    trunk_springs = {key: trunk.table(key).table("spring") for key in trunk if "spring" in trunk.table(key)}
    springs = {link: _spring(row, "left") for link, row in trunk_springs.items()}
    angles = {link: row.number("start", 0.0) for link, row in trunk_springs.items()}
    for _, _, leg, side in legs_by_side:
        links += _leg_links(leg, side, density)
        for link, row in zip(_leg_names(leg, side), _rows_by_link(leg, "springs"), strict=True):
            springs[link], angles[link] = _spring(row, side), SIGN[side] * row.number("start", 0.0) + 0.0
    for link, angle in one_sided.angles.items():
        springs[link], angles[link] = replace(springs[link], rest=angle), angle
    return Creature(
        name=name,
        parameters=parameters,
        figure=Figure(name, tuple(links)),
        springs=springs,
        angles=angles,
        legs=tuple(one_sided.leg(_leg(leg, f"{key} {side}", rank, side)) for rank, key, leg, side in legs_by_side),
        gait=_gait(table.table("gait")),
        ground=_ground(table.table("ground")),
        stick=_stick(table.table("stick")),
        timing=_timing(table.table("timing")),
        reflexes=_reflexes(legs_by_side),
        steering=_steering(table),
        after_loss=_after_loss(table),
    )


@dataclass(frozen=True)
class OneSidedChanges:
    """The changes of readings on one side only.

    angles: initial and rest angle of joints, by link name [rad]. omitted: links whose motor commands are left out if
    they begin after the end of their program.
    """

    angles: dict[str, float] = field(default_factory=dict[str, float])
    omitted: set[str] = field(default_factory=set[str])

    def leg(self, leg: Leg) -> Leg:
        """Return a leg without the omitted commands."""
        return replace(leg, step=tuple(c for c in leg.step if not (c.begins > 0.0 and c.joint in self.omitted)))


def _with_changes(file: Table, parameters: str, readings: Sequence[str]) -> tuple[Table, OneSidedChanges]:
    """Return the file's table with the changes of a parameter set and of readings, and those for one side only."""
    sets, known = file.table("sets"), _readings(file)
    if parameters not in sets:
        raise GambolError(f'{file.where} has no set of parameters "{parameters}"; {did_you_mean(parameters, sets)}')
    table = Table({key: value for key, value in file.data.items() if key not in ("sets", "readings")}, file.where)
    table, one_sided = table.merged(sets.table(parameters), f"{file.where} (set {parameters})"), OneSidedChanges()
    for name in readings:
        if name not in known:
            raise GambolError(f'{file.where} has no reading "{name}"; {did_you_mean(name, known)}')
        reading = known.table(name)
        reading.check_keys("printed", "page", "reason", "changes", "angles", "omitted")
        if "changes" in reading:
            table = table.merged(reading.table("changes"), f"{table.where} (reading {name})")
        if "angles" in reading:
            one_sided.angles.update({link: reading.table("angles").number(link) for link in reading.table("angles")})
        if "omitted" in reading:
            one_sided.omitted.add(reading.text("omitted"))
    return table, one_sided


def _readings(file: Table) -> Table:
    return file.table("readings") if "readings" in file else Table({}, file.where)


def readings_of(text: str, file: str) -> dict[str, Reading]:
    """Return the readings of a creature file by name. Arguments: as for read_creature()."""
    known = _readings(read_table(text, file))
    rows = {name: known.table(name) for name in known}
    return {name: Reading(row.text("printed"), row.text("page"), row.text("reason")) for name, row in rows.items()}


def _trunk_link(name: str, row: Table, density: float) -> Link:
    row.check_keys("parent", "spring", *LINK_KEYS)
    if "parent" not in row:
        return Link(name, None, Joint("free"), (_box(row, density),))
    return Link(name, row.text("parent"), _joint(row), (_box(row, density),))


def _leg_links(leg: Table, side: Side, density: float) -> list[Link]:
    """Return the links of one leg, from the trunk outward."""
    leg.check_keys("letter", "parent", "links", "springs", "motor", "reflex")
    links: list[Link] = []
    parent = leg.text("parent")
    for name, row in zip(_leg_names(leg, side), _rows_by_link(leg, "links"), strict=True):
        row.check_keys(*LINK_KEYS)
        joint, box = _joint(row), _box(row, density)
        if side == "right":
            joint, box = mirrored_joint(joint), mirrored_part(box)
        links.append(Link(name, parent, joint, (box,)))
        parent = name
    return links


def _leg_names(leg: Table, side: Side) -> list[str]:
    return [f"leg_{leg.text('letter')}{side[0]}{number}" for number, _ in enumerate(leg.table("links"))]


def _rows_by_link(leg: Table, kind: str) -> list[Table]:
    """Return the tables of the links of a leg, in order. kind: the key of the leg's table that contains them."""
    rows = leg.table(kind)
    rows.check_keys(*leg.table("links"))
    return [rows.table(joint) for joint in leg.table("links")]


def _box(row: Table, density: float) -> Part:
    x, y, z = (edge * CENTIMETRE for edge in row.triple("box_cm"))
    return Part(Box((x, y, z)), row.triple("centre", (0.0, y / 2, 0.0)), density=density)


def _joint(row: Table) -> Joint:
    rotation = _rotation(row)
    key = "axis_in_parent" if "axis_in_parent" in row else "axis"
    to_link = transposed(rotation) if key == "axis_in_parent" else IDENTITY
    return Joint("revolute", rotated(to_link, row.triple(key)), rotation, row.triple("at"))


def _rotation(row: Table) -> Matrix3:
    """Return the product of the rotations in "turn_deg" about the parent's fixed axes; the first is applied first."""
    rotation = IDENTITY
    for turn in row.pairs("turn_deg", ("axis", "degrees")):
        angle = math.radians(turn.number("degrees"))
        rotation = compose(rotation_about(turn.text("axis", allowed="xyz"), angle), rotation)
    return rotation


def _spring(row: Table, side: Side) -> JointSpring:
    row.check_keys(*SPRING_KEYS)
    return JointSpring(
        stiffness=row.number("stiffness", 0.0),
        alpha=row.number("alpha", 0.0),
        beta=row.number("beta", 0.0),
        damping=row.number("damping", 0.0),
        rest=SIGN[side] * row.number("rest", 0.0) + 0.0,
        scale=cast(Scale, row.text("scale", "none", allowed=get_args(Scale))),
    )


def _leg(leg: Table, name: str, rank: int, side: Side) -> Leg:
    motor = leg.table("motor")
    motor.check_keys("step", "stance")
    names = dict(zip(leg.table("links"), _leg_names(leg, side), strict=True))
    programs = {
        program: tuple(_command(row, names, side) for row in motor.tables(program)) for program in ("step", "stance")
    }
    return Leg(name, side, rank, tuple(names.values()), programs["step"], programs["stance"])


def _command(row: Table, names: dict[str, str], side: Side) -> MotorCommand:
    row.check_keys("joint", "begins", "target", "lasts")
    begins, lasts = row.number("begins", 0.0), row.number("lasts")
    if not (begins >= 0.0 and lasts > 0.0 and begins + lasts <= 1.0):
        raise GambolError(
            f"{row.where} begins at {begins:g} and lasts {lasts:g}; both are fractions of the program's time, "
            "so together they must lie within 0 and 1"
        )
    return MotorCommand(names[row.text("joint", allowed=names)], SIGN[side] * row.number("target") + 0.0, begins, lasts)


def _gait(row: Table) -> GaitValues:
    row.check_keys("protraction", "speed", "stance_first")
    return GaitValues(row.number("protraction"), row.number("speed"), row.boolean("stance_first", False))


def _ground(row: Table) -> GroundValues:
    names = [f.name for f in fields(GroundValues) if f.name != "scale"]
    row.check_keys(*names, "scale")
    scale = row.text("scale", allowed=("none", "figure mass"))
    return GroundValues(**{name: row.number(name) for name in names}, scale=scale)


def _steering(table: Table) -> SteeringValues:
    """Return the response of the creature to steering, if the file contains it."""
    if "steering" not in table:
        return SteeringValues()
    row, names = table.table("steering"), [f.name for f in fields(SteeringValues)]
    row.check_keys(*names)
    return SteeringValues(**{name: row.number(name) for name in names if name in row})


def _after_loss(table: Table) -> dict[str, dict[str, Triple]]:
    """Return displacements of feet after the loss of each leg; the file has those for left legs."""
    found: dict[str, dict[str, Triple]] = {}
    for lost in table.table("after_loss") if "after_loss" in table else ():
        rows = table.table("after_loss").table(lost)
        moves = {leg: rows.triple(leg) for leg in rows}
        found[f"{lost} left"] = moves
        found[f"{lost} right"] = {_opposite(leg): (x, -y, z) for leg, (x, y, z) in moves.items()}
    return found


def _opposite(leg: str) -> str:
    """Return the name of the leg on the other side."""
    pair, side = leg.rsplit(" ", 1)
    return f"{pair} {'right' if side == 'left' else 'left'}"


def _stick(row: Table) -> StickyFootValues:
    names = [f.name for f in fields(StickyFootValues)]
    row.check_keys(*names)
    return StickyFootValues(**{name: row.number(name) for name in names})


def _reflexes(legs_by_side: list[tuple[int, str, Table, Side]]) -> tuple[ReflexTriggers, ...]:
    """Return the reflex triggers of every leg, or none if they are not calibrated."""
    if not all("reflex" in leg for _, _, leg, _ in legs_by_side):
        return ()
    triggers: list[ReflexTriggers] = []
    for _, _, leg, side in legs_by_side:
        row = leg.table("reflex")
        row.check_keys("bent_back", "direction", "load")
        direction = SIGN[side] * row.number("direction")
        triggers.append(ReflexTriggers(row.number("bent_back"), direction, row.number("load")))
    return tuple(triggers)


def _timing(row: Table) -> TimingValues:
    row.check_keys("frame", "step", "tolerance", "method")
    return TimingValues(row.number("frame"), row.number("step"), row.number("tolerance"), row.text("method"))
