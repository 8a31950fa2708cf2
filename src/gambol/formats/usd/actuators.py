"""Actuators of MuJoCo's converter (MjcActuator) as motors: force = gain u + b1 q + b2 v, within its limits. [MuJoCo]

An actuator without bias is a motor for torque, one with the biases b1 = -gain and b2 <= 0 is one for position.
"""

import math
from collections.abc import Iterable
from dataclasses import replace

from gambol.formats.model import Motor
from gambol.formats.usd.links import LinkFreedom
from gambol.formats.usd.stage import Prim, Stage


def actuators_of(stage: Stage, link_freedoms: Iterable[LinkFreedom], notes: set[str]) -> tuple[Motor, ...]:
    """Return a motor for each actuator of a joint with one freedom. notes: receives a sentence on the others."""
    by_path = {entry.joint.path: entry for entry in link_freedoms if len(entry.joint.freedoms) == 1}
    motors: list[Motor] = []
    for prim in stage.prims("actuators"):
        entry = by_path.get(prim["target"])
        motor = None if entry is None or entry.freedom.kind == "spherical" else _motor(prim, entry)
        if motor is None:
            notes.add("Left out: actuators of MuJoCo other than motors for torque and position of one joint.")
        else:
            motors.append(motor)
    return tuple(motors)


def _motor(prim: Prim, entry: LinkFreedom) -> Motor | None:
    """Return the motor of an actuator; None for another law. MuJoCo's numbers are in SI units."""
    gear, gain, bias = (_numbers(prim, name) for name in ("gear", "gainPrm", "biasPrm"))
    strength, (b0, b1, b2) = gain[0] if gain else 1.0, (*bias, 0.0, 0.0, 0.0)[:3]
    is_affine = prim.get("biasType", "none") == "affine"
    laws = [prim.get(name, default) for name, default in (("dynType", "none"), ("gainType", "fixed"))]
    if laws != ["none", "fixed"] or (is_affine and (b0 or b1 != -strength or b2 > 0.0)):
        return None
    (lower, upper), (weakest, strongest) = (_limits(prim, kind) for kind in ("ctrl", "force"))
    motor = Motor(prim["name"], entry.link, "torque", (gear[0] if gear else 1.0,), strength)
    motor = replace(motor, lower=lower, upper=upper, weakest=weakest, strongest=strongest)
    return replace(motor, kind="position", damping=-b2) if is_affine else motor


def _limits(prim: Prim, kind: str) -> tuple[float, float]:
    """Return the limits of an actuator of a kind, "ctrl" or "force"; by default they hold if the file has a range."""
    low, high = (float(prim.get(f"{kind}Range:{end}", 0.0)) for end in ("min", "max"))
    is_limited = {"true": True, "false": False}.get(prim.get(f"{kind}Limited", "auto"), low < high)
    return (low, high) if is_limited else (-math.inf, math.inf)


def _numbers(prim: Prim, name: str) -> list[float]:
    values: list[float] = prim[name] if isinstance(prim.get(name), list) else []
    return values
