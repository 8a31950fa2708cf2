"""The signals of films: one table with the axes, unit, frame and meaning of each."""

from collections.abc import Collection
from dataclasses import dataclass, replace

NUMBER = ""
"""The unit of a number that has no unit."""


@dataclass(frozen=True, slots=True)
class SignalKind:
    """A row of the table of signals.

    axes: axes of the array in one frame of one world: "legs", "feet", "xyz" and others; (): one number. unit: a unit
    such as "N m"; NUMBER: no unit. frame: the axes in which vectors and positions are given, else "". meaning: a line
    of text.
    """

    axes: tuple[str, ...]
    unit: str
    frame: str
    meaning: str

    @property
    def shape(self) -> str:
        """The shape of the array, for readers: F frames, W worlds, then the axes."""
        return f"({', '.join(('F', 'W', *('3' if axis == 'xyz' else axis for axis in self.axes)))})"


WORLD = "world"

SIGNALS: dict[str, SignalKind] = {
    # of the motion
    "centre": SignalKind(("xyz",), "m", WORLD, "centre of mass"),
    "feet": SignalKind(("feet", "xyz"), "m", WORLD, "lowest point of each foot"),
    "clearance": SignalKind((), "m", WORLD, "height of the trunk's lowest point above the ground; 1000 if it has none"),
    "stepping": SignalKind(("legs",), NUMBER, "", "1 while the leg steps, 0 while it stands"),
    "upper": SignalKind(("legs",), "rad or m", "joint", "coordinate of the first joint of each leg"),
    "cut_off": SignalKind(("links",), NUMBER, "", "1 while the link is cut off by a script, and not drawn"),
    "lean": SignalKind((), "rad", WORLD, "angle by which the trunk of a kinematic walk leans into a turn"),
    # of adaptive dynamics
    "active": SignalKind(("links",), NUMBER, "", "1 while the link's joint is active, 0 while it is held"),
    "active_joints": SignalKind((), NUMBER, "", "number of active joints"),
    "held_error": SignalKind((), "rad/s or m/s", "", "largest speed that held joints miss until the next choice"),
    # of forces
    "push": SignalKind(("feet",), "N", WORLD, "normal force of the ground on each foot"),
    "elsewhere": SignalKind((), "N", WORLD, "total normal force of the ground on all links that are not feet"),
    "load": SignalKind(("legs",), "N m or N", "joint", "torque or force of the springs of each leg's bearing joint"),
    "intact": SignalKind(("attachments",), NUMBER, "", "1 while the attachment holds, 0 once it is broken"),
    # energies
    "kinetic": SignalKind((), "J", WORLD, "kinetic energy"),
    "potential": SignalKind((), "J", WORLD, "energy in the field of gravity; 0 at the origin"),
    "stored": SignalKind((), "J", "", "energy in springs, actuators, the ground's springs and bristles"),
    "positive_power": SignalKind((), "W", "", "positive power of motors and actuators; negative power does not count"),
    "motors": SignalKind((), "J", "", "work of motors and actuators since the start"),
    "outside": SignalKind((), "J", "", "work of external forces, such as a push, since the start"),
    "stabilisation": SignalKind((), "J", "", "work of position correction since the start"),
    "damping": SignalKind((), "J", "", "energy lost in dampers since the start"),
    "impact": SignalKind((), "J", "", "energy lost in impacts since the start"),
    "sliding": SignalKind((), "J", "", "energy lost in sliding since the start"),
    "numerical_damping": SignalKind((), "J", "", "energy lost by the implicit part of springs since the start"),
    "unaccounted": SignalKind((), "J", "", "energy gained since the first frame that no other entry explains"),
    # of the simulation
    "taken": SignalKind((), NUMBER, "", "number of steps since the start"),
    "rejected": SignalKind((), NUMBER, "", "number of rejected steps since the start"),
    "step": SignalKind((), "s", "", "length of the next step"),
    "status": SignalKind((), NUMBER, "", "0 it runs, 1 stopped as not finite, 2 steps too short, 3 interrupted"),
    "wall": SignalKind((), "s", "", "time that the computer needed since the start"),
    "residual": SignalKind((), "m/s or rad/s", "", "largest violation of the laws of contact in the last step"),
    "unsolved": SignalKind((), NUMBER, "", "number of steps whose residual was too large, since the start"),
    # of run(..., contacts=True)
    "contact_point": SignalKind(("contacts", "xyz"), "m", WORLD, "place of each contact; NaN where there is none"),
    "contact_normal": SignalKind(("contacts", "xyz"), NUMBER, WORLD, "unit vector towards the first link"),
    "contact_gap": SignalKind(("contacts",), "m", "", "distance of the two surfaces, negative in penetration"),
    "contact_force": SignalKind(("contacts", "xyz"), "N", WORLD, "force on the first link"),
    "contact_links": SignalKind(("contacts", "pair"), NUMBER, "", "indices of both links; the second is -1 for ground"),
    "contact_duration": SignalKind((), "s", "", "time over which contact_force is averaged; 0 for the current force"),
    # of run(..., coordinates=True)
    "q": SignalKind(("coordinates",), "rad or m", "joint", "coordinates of all joints; quaternions have no unit"),
    "v": SignalKind(("freedoms",), "rad/s or m/s", "joint", "velocities of all joints"),
    "torques": SignalKind(("freedoms",), "N m or N", "joint", "torque or force of springs, motors and actuators"),
    # of plans and assemblies
    "contact_points": SignalKind(("contacts", "xyz"), "m", WORLD, "points of contact of a plan"),
    "contact_forces": SignalKind(("contacts", "xyz"), "N", WORLD, "forces on the figure at the points of contact"),
    "deviations": SignalKind(("constraints",), "m or rad", "", "distance or angle by which each constraint is unmet"),
    "forces": SignalKind(("constraints",), "N or N m", "", "size of the force of each constraint of an assembly"),
    "energies": SignalKind(("constraints",), NUMBER, "", "energy of each constraint of an assembly by descent"),
}  # fmt: skip
"""All signals with a fixed name."""

ENTRIES: dict[str, SignalKind] = {
    "force": SignalKind((), "N or N m", "path", "tension of a muscle, tendon or motor along its path"),
    "torque": SignalKind((), "N m or N", "joint", "torque or force on the joint"),
    "length": SignalKind((), "m or rad", "path", "length of the path"),
    "velocity": SignalKind((), "m/s or rad/s", "path", "rate of the length of the path"),
    "activation": SignalKind((), NUMBER, "", "activation of a muscle or motor"),
    "excitation": SignalKind((), NUMBER, "", "excitation that a muscle gets"),
    "fibre_length": SignalKind((), "optimal lengths", "path", "length of a muscle's fibres"),
    "fibre_velocity": SignalKind((), "optimal lengths/s", "path", "rate of the length of a muscle's fibres"),
    "positive": SignalKind((), NUMBER, "", "activation of the muscle that turns the joint in the positive sense"),
    "negative": SignalKind((), NUMBER, "", "activation of the muscle that turns the joint in the negative sense"),
    "pressure": SignalKind((), "Pa", "", "pressure in a pneumatic muscle above that of the air"),
}  # fmt: skip
"""Signals of actuators by the last word of "actuator NAME ENTRY"."""

MUSCLE_ONLY = ("fibre_length", "pressure")
"""Entries that only muscles have. The path of a muscle is a length, so the first unit of each entry is its unit."""

ACTUATOR, SENSOR = "actuator ", "sensor "

USER_DEFINED = SignalKind((), NUMBER, "", "state or output of a user's own actuator, in its unit")
READINGS = SignalKind(("readings",), NUMBER, "", "readings of a sensor, in its own units: see the page on sensors")


def signal_kind(name: str, signals: Collection[str] = ()) -> SignalKind | None:
    """Return the row of a signal of a film; None for a signal that is not in the tables.

    name: name of the signal, such as "centre", "sensor left eye" or "actuator vastus force". signals: names of all
    signals of the film, which show if an actuator is a muscle.
    """
    if name.startswith(SENSOR):
        return READINGS
    if not name.startswith(ACTUATOR):
        return SIGNALS.get(name)
    actuator, _, entry = name.rpartition(" ")
    kind = ENTRIES.get(entry, USER_DEFINED)
    is_muscle = any(f"{actuator} {only}" in signals for only in MUSCLE_ONLY)
    return replace(kind, unit=kind.unit.partition(" or ")[0]) if is_muscle else kind
