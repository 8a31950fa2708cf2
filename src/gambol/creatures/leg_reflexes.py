"""The reflexes of a creature's legs, by name: the active ones, with thresholds and stable supports of the creature."""

from collections.abc import Collection
from itertools import combinations

from gambol.creatures.creature import Creature
from gambol.dynamics import centre_of_mass, kinematics
from gambol.errors import WorldError, did_you_mean
from gambol.figure import JOINTS
from gambol.gait import GaitModifier, ReflexTriggers
from gambol.gait.elevator import Elevator
from gambol.gait.foothold import Foothold
from gambol.gait.high_steps import HighSteps
from gambol.gait.reflex import UNREACHABLE
from gambol.gait.stability import support_margin
from gambol.gait.stable_patterns import StablePatterns
from gambol.spatial import Vector

LEG_REFLEXES = ("step", "load", "stable", "elevator", "foothold", "climb")
"""The reflexes of legs by name. "stable" takes the place of "load"; "climb" that of "elevator" and "foothold", for
higher obstacles."""

CALIBRATED = ("step", "load")
"""The reflexes that are active by default."""

CLIMBING_LIFT, CLIMBING_YIELDING = 0.6, 0.4
"""With "climb", the additional lift of each attempt [rad], and the part of a leg's flexion that it keeps on high
ground. With the 0.35 rad and 0.8 of the reflexes alone, steps of half the standing height stop the roach more often, or
turn it over."""

GRACE, SEARCH = 0.3, 0.5
"""Grace and time of a search for a foothold, as fractions of the time of a step. Undisturbed feet of the roach land
within a quarter of that time after their step, most within a tenth."""


def checked_reflexes(reflexes: bool | Collection[str]) -> tuple[str, ...]:
    """Return the names of reflexes: True is for CALIBRATED, False for none. Raises WorldError for unknown names."""
    if isinstance(reflexes, bool):
        return CALIBRATED if reflexes else ()
    if isinstance(reflexes, str):
        raise WorldError(f'give the names of reflexes as a collection, such as ["{reflexes}"], not as a text')
    for name in reflexes:
        if name not in LEG_REFLEXES:
            raise WorldError(f'there is no reflex "{name}" of legs; {did_you_mean(name, LEG_REFLEXES)}')
    return tuple(name for name in LEG_REFLEXES if name in reflexes)


def reflex_triggers(creature: Creature, names: Collection[str]) -> tuple[ReflexTriggers, ...]:
    """Return the thresholds of the step reflex and of the load-bearing reflex, or none. names: names of reflexes."""
    if not {"step", "load"} & {*names} or not creature.reflexes:
        return ()
    return tuple(
        ReflexTriggers(t.bent_back if "step" in names else UNREACHABLE, t.direction, _load(t, names))
        for t in creature.reflexes
    )


def _load(trigger: ReflexTriggers, names: Collection[str]) -> float:
    return trigger.load if "load" in names and "stable" not in names else UNREACHABLE


def reflex_modifiers(creature: Creature, names: Collection[str]) -> tuple[GaitModifier, ...]:
    """Return the modifiers of a creature's gait with some names."""
    modifiers: list[GaitModifier] = []
    if "stable" in names:
        loads = tuple(t.load for t in creature.reflexes) or (UNREACHABLE,) * len(creature.legs)
        modifiers.append(
            StablePatterns(creature.legs, stable_supports(creature), loads, patience=creature.gait.protraction)
        )
    step = creature.gait.protraction
    if "climb" in names:
        elevator = Elevator(creature.legs, lift=CLIMBING_LIFT)
        foothold = Foothold(creature.legs, grace=GRACE * step, search=SEARCH * step, yielding=CLIMBING_YIELDING)
        return (*modifiers, HighSteps(creature.legs), elevator, foothold)
    if "elevator" in names:
        modifiers.append(Elevator(creature.legs))
    if "foothold" in names:
        modifiers.append(Foothold(creature.legs, grace=GRACE * step, search=SEARCH * step))
    return tuple(modifiers)


def stable_supports(creature: Creature) -> tuple[tuple[int, ...], ...]:
    """Return the minimal sets of legs, by index, whose feet support the centre of mass at the initial angles."""
    figure, q = creature.figure, list[float]()
    for link in figure.links:
        angle = creature.angles.get(link.name)
        q += JOINTS[link.joint.kind].rest if angle is None else [angle]
    state = kinematics(figure, q, [0.0] * figure.nv)
    centre = centre_of_mass(state)
    feet: list[tuple[float, float]] = []
    for leg in creature.legs:
        foot = figure.link(leg.foot)
        points = [state.point_position(foot.index, Vector(*p.position)) for p in foot.contact_points()]
        lowest = min(points, key=lambda p: float(p.z))
        feet.append((float(lowest.x), float(lowest.y)))
    supports: list[tuple[int, ...]] = []
    for size in range(3, len(feet) + 1):
        for legs in combinations(range(len(feet)), size):
            if any({*smaller} <= {*legs} for smaller in supports):
                continue
            if support_margin([feet[i] for i in legs], (float(centre.x), float(centre.y))) > 0.0:
                supports.append(legs)
    return tuple(supports)
