"""The table of actuators: what a row must have, and what a world finds out before any work."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from drives import ConstantPattern, wheel
from pages import restored

from gambol.actuation import (
    ACTUATORS,
    Actuator,
    ComputedTorque,
    ElasticServo,
    GeneralMotor,
    HillServo,
    Servo,
    SpringTendon,
    TorqueMotor,
    VariableDamper,
    VelocityServo,
    add_actuator,
)
from gambol.actuation.muscle import AntagonistPair, Muscle, PneumaticMuscle
from gambol.control import Drive
from gambol.errors import FigureError, WorldError
from gambol.world import World


@pytest.fixture(autouse=True)
def table() -> Iterator[None]:
    with restored(ACTUATORS):
        yield


def test_the_kinds_of_the_package_have_the_names_of_files():
    motors = {"position": Servo, "velocity": VelocityServo, "torque": TorqueMotor, "general": GeneralMotor}
    models = {"computed torque": ComputedTorque, "hill servo": HillServo, "elastic servo": ElasticServo}
    muscles = {"muscle": Muscle, "antagonist pair": AntagonistPair, "pneumatic muscle": PneumaticMuscle}
    passive = {"spring tendon": SpringTendon, "variable damper": VariableDamper}
    assert motors | muscles | passive | models == ACTUATORS


def broken(**members: Any) -> Any:
    """Return a class of actuators with one state and one command, with other members."""
    usual: dict[str, Any] = {
        "kind": "mylab broken",
        "force": lambda self, numbers, at: [0.0],
        "initial_state": lambda self, numbers, at: {"x": 0.0},
        "derivative": lambda self, numbers, at: {"x": 0.0},
        "__annotations__": {"joints": tuple[str, ...]},
        "joints": (),
    }
    kept = {name: value for name, value in (usual | members).items() if value is not None}
    return dataclass(frozen=True)(type("Broken", (Actuator,), kept))


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"force": None}, 'the actuator "Broken" lacks force; see docs/extend/actuator.md'),
        ({"kind": None}, 'the actuator "Broken" lacks kind'),
        ({"joints": None, "__annotations__": {}}, '"mylab broken" lacks joints'),
        ({"kind": "position"}, 'there is an actuator of kind "position" already'),
    ],
)
def test_a_row_that_lacks_something_is_refused(members: Any, message: str):
    with pytest.raises(WorldError, match=message):
        add_actuator(broken(**members))


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"force": lambda self, numbers, at: [0.0, 0.0]}, "has 2 forces for 1 velocities"),
        ({"derivative": lambda self, numbers, at: {"y": 0.0}}, r"a state of \['x'\], and rates of \['y'\]"),
        ({"advanced": lambda self, numbers, at, h: {"z": 0.0}}, r"and of \['z'\] after a step: advanced\(\)"),
        ({"commands": ("u",), "bounds": lambda self, numbers: []}, "has 0 bounds for 1 commands"),
        ({"state_scales": lambda self: {"y": 1.0}}, r"has the scales \{'y': 1.0\}"),
        ({"state_scales": lambda self: {"x": 0.0}}, r"has the scales \{'x': 0.0\}"),
        ({"heat": lambda self, numbers, at: float("nan")}, r"has the heat \[nan\] at rest; they must be finite"),
        ({"supply": lambda self, numbers, at: float("inf")}, r"has the supply \[inf\] at rest"),
        (
            {"state_scales": lambda self, numbers: {"x": 1.0}},
            r"raised TypeError: .* argument.*, at .*, line",
        ),
        ({"energy": lambda self, numbers, at: at.state["y"]}, r"raised KeyError: 'y', at .*test_table.py, line"),
        ({"joints": ("wheel", "wheel")}, "names a joint twice: wheel, wheel"),
    ],
)
def test_a_world_tries_its_actuators_before_any_work(members: Any, message: str):
    kind = broken(**members)
    add_actuator(kind)
    with pytest.raises(WorldError, match=message):
        World(wheel(), controller=Drive(ConstantPattern(()), {"wheel": kind()}))


def test_what_was_not_added_or_finds_no_joint_is_refused():
    with pytest.raises(WorldError, match=r'"wheel" is of no known kind; add_actuator\(\) adds one'):
        World(wheel(), controller=Drive(ConstantPattern(()), {"wheel": broken()()}))
    add_actuator(broken())
    with pytest.raises(WorldError, match='not of the class that was added as "mylab broken"'):
        World(wheel(), controller=Drive(ConstantPattern(()), {"wheel": broken()()}))
    with pytest.raises(FigureError, match='"wheel"'):
        World(wheel(), controller=Drive(ConstantPattern(()), {"wheal": ACTUATORS["mylab broken"]()}))  # type: ignore[call-arg]
    with pytest.raises(WorldError, match="must be a class derived from"):
        add_actuator(dict)
    with pytest.raises(WorldError, match="must be a frozen dataclass"):
        add_actuator(type("Plain", (Actuator,), {"kind": "plain", "force": lambda self, numbers, at: [0.0]}))
    with pytest.raises(WorldError, match="use Servo, VelocityServo or TorqueMotor"):
        Actuator()  # type: ignore[abstract]
