"""The table of actuator kinds, by name."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from traceback import extract_tb
from typing import Any

from gambol.actuation.actuator import Actuator, ActuatorInput
from gambol.actuation.computed_torque import ComputedTorque
from gambol.actuation.elastic_servo import ElasticServo
from gambol.actuation.general_motor import GeneralMotor
from gambol.actuation.hill_servo import HillServo
from gambol.actuation.muscle import AntagonistPair, Muscle, PneumaticMuscle
from gambol.actuation.servo import Servo
from gambol.actuation.spring_tendon import SpringTendon
from gambol.actuation.torque_motor import TorqueMotor
from gambol.actuation.variable_damper import VariableDamper
from gambol.actuation.velocity_servo import VelocityServo
from gambol.dynamics import Kinematics, kinematics
from gambol.errors import GambolError, WorldError, did_you_mean
from gambol.figure import JOINTS, Figure, PlacedLink
from gambol.lanes import Scalar

KINDS: tuple[type[Actuator], ...] = (
    Servo,
    HillServo,
    ElasticServo,
    VelocityServo,
    TorqueMotor,
    VariableDamper,
    Muscle,
    AntagonistPair,
    SpringTendon,
    PneumaticMuscle,
    GeneralMotor,
    ComputedTorque,
)

ACTUATORS: dict[str, type[Actuator]] = {kind.kind: kind for kind in KINDS}
"""The kinds of actuators by name."""


TEST_STEP = 1e-3
"""Length of the large step in which a world tests its actuators [s]; only the names in the result matter."""


def add_actuator(kind: Any) -> None:
    """Add a kind of actuator: a frozen dataclass that is derived from Actuator.

    Worlds, drives, ledgers and films can then use it. Raises WorldError for a class that lacks a required attribute,
    and for a name that is taken.
    """
    name = getattr(kind, "__name__", repr(kind))
    if not (isinstance(kind, type) and issubclass(kind, Actuator)):
        raise WorldError(f'the actuator "{name}" must be a class derived from gambol.actuation.Actuator')
    if missing := sorted(kind.__abstractmethods__):
        raise WorldError(f'the actuator "{name}" lacks {", ".join(missing)}; see docs/extend/actuator.md')
    if not isinstance(getattr(kind, "kind", None), str):
        raise WorldError(f'the actuator "{name}" lacks kind, its name in the table; see docs/extend/actuator.md')
    dataclass_options: Any = getattr(kind, "__dataclass_params__", None)
    if not is_dataclass(kind) or not dataclass_options.frozen:
        raise WorldError(f'the actuator "{kind.kind}" must be a frozen dataclass, whose fields are its numbers')
    if "joints" not in {field.name for field in fields(kind)} and not hasattr(kind, "joints"):
        raise WorldError(
            f'the actuator "{kind.kind}" lacks joints: the names of links, or () for the joint with its name'
        )
    if ACTUATORS.get(kind.kind, kind) is not kind:
        raise WorldError(f'there is an actuator of kind "{kind.kind}" already; give yours another name')
    ACTUATORS[kind.kind] = kind


def check_actuator(name: str, actuator: Actuator, figure: Figure) -> None:
    """Raise WorldError if an actuator cannot act on a figure, FigureError for a link that the figure lacks.

    name: name of the actuator. Its forces are computed once, with plain numbers, in the rest position of its joints.
    """
    _check_kind(name, actuator)
    links = [figure.link(joint) for joint in actuator.joint_names(name)]
    if len(set(actuator.joints)) < len(actuator.joints):
        raise WorldError(f'the actuator "{name}" names a joint twice: {", ".join(actuator.joints)}')
    actuator.check(name, links)
    label = f'the actuator "{name}" (of kind "{actuator.kind}")'
    try:
        _try_members(label, actuator, figure, links)
    except GambolError:
        raise
    except Exception as error:  # members of an added kind are the user's
        frame = extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {error}"
        raise WorldError(
            f"{label} raised {reason}, at {frame.filename}, line {frame.lineno}; see docs/extend/actuator.md"
        ) from error


def _try_members(label: str, actuator: Actuator, figure: Figure, links: Sequence[PlacedLink]) -> None:
    """Call the members of an actuator once, at rest, and raise WorldError for wrong results.

    label: the words that begin a message. links: those at whose joints it acts.
    """
    numbers = actuator.numbers()
    q = [x for link in links for x in JOINTS[link.joint.kind].rest]
    v = [0.0 for link in links for _ in range(link.v.start, link.v.stop)]
    if len(actuator.bounds(numbers)) != len(actuator.commands):
        bounds, commands = len(actuator.bounds(numbers)), len(actuator.commands)
        raise WorldError(f"{label} has {bounds} bounds for {commands} commands; give one pair for each")
    commands = actuator.command_values(numbers, [0.0] * len(actuator.commands))
    figure_at_rest = [x for link in figure.links for x in JOINTS[link.joint.kind].rest]

    def kinematics_at(*_: Any) -> Kinematics:
        return kinematics(figure, figure_at_rest, [0.0] * figure.nv)

    at = ActuatorInput(0.0, q, v, commands, {}, links, kinematics_at)
    state = actuator.initial_state(numbers, at)
    at = replace(at, state=state)
    if len(forces := actuator.force(numbers, at)) != len(v):
        raise WorldError(f"{label} has {len(forces)} forces for {len(v)} velocities of its joints; give one for each")
    rates: Mapping[str, Scalar] = actuator.derivative(numbers, at) if state else {}
    if set(rates) != set(state):
        raise WorldError(
            f"{label} has a state of {sorted(state)}, and rates of {sorted(rates)}: give a rate for each entry"
        )
    _check_finite(label, actuator, numbers, at, {"forces": [*forces], "rates": [*rates.values()]})
    if state and (after := set(actuator.advanced(numbers, at, TEST_STEP))) != set(state):
        raise WorldError(f"{label} has a state of {sorted(state)}, and of {sorted(after)} after a step: advanced()")
    for scale in (scales := actuator.state_scales()).values():
        if not 0.0 < scale < math.inf or not set(scales) <= set(state):
            raise WorldError(f"{label} has the scales {scales}; give positive numbers, for entries of its state")


def _check_finite(
    label: str,
    actuator: Actuator,
    numbers: Mapping[str, Scalar],
    at: ActuatorInput,
    known: Mapping[str, Sequence[Scalar]],
) -> None:
    """Raise WorldError for results at rest that are not finite. known: results that are known already, by name."""
    supply = actuator.supply(numbers, at)
    quantities: dict[str, Sequence[Scalar]] = {
        "state": [*at.state.values()],
        **known,
        "supply": [] if supply is None else [supply],
        "heat": [actuator.heat(numbers, at)],
        "energy": [actuator.energy(numbers, at)],
        "outputs": [*actuator.outputs(numbers, at).values()],
    }
    for quantity, values in quantities.items():
        if not all(map(math.isfinite, values)):
            raise WorldError(f"{label} has the {quantity} {values} at rest; they must be finite")


def _check_kind(name: str, actuator: Any) -> None:
    """Raise WorldError if the kind of an actuator is not in the table; name: name of the actuator."""
    kind = getattr(actuator, "kind", None)
    if not isinstance(kind, str) or kind not in ACTUATORS:
        known = did_you_mean(str(kind or type(actuator).__name__), ACTUATORS)
        raise WorldError(f'the actuator "{name}" is of no known kind; add_actuator() adds one, or {known}')
    if ACTUATORS[kind] is not type(actuator):
        raise WorldError(f'the actuator "{name}" is not of the class that was added as "{kind}"; add its own class')
