"""Foot forces of standing robots against their weight, the lever rule, and MuJoCo's touch sensors."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import gambol
from benchmarks.robots import robot
from gambol.creatures.holding import held_model
from gambol.formats import Model, read_urdf, write_mjcf
from gambol.sensing import CentreOfMass, ContactForce, ContactPoints

LIBRARY: Any = mujoco
G = 9.81


@dataclass(frozen=True)
class Stance:
    """A standing robot: the load and the place of each foot, and the centre of mass [N, m]."""

    loads: Any
    places: Any
    centre: Any

    def imbalance(self) -> float:
        """Return the distance of the centre of the loads from the centre of mass, on the ground [m]."""
        return float(np.abs((self.loads @ self.places / self.loads.sum() - self.centre)[:2]).max())


def in_gambol(model: Model, feet: list[str]) -> Stance:
    """Return the stance of a robot after 3 s, by sensors."""
    sensors = {f"force {foot}": ContactForce(foot) for foot in feet}
    sensors |= {f"point {foot}": ContactPoints(foot) for foot in feet}
    sensors |= {"centre": CentreOfMass(model.figure.root.name)}
    world = gambol.make_world(model, hold=True, sensors=sensors)
    state = gambol.start(world)
    gambol.run(world, state, 3.0, rate=20.0)
    read = {name: values[0] for name, values in gambol.sensors(world, state).items()}
    points = np.array([read[f"point {foot}"][:3] for foot in feet])
    return Stance(np.array([read[f"force {foot}"][2] for foot in feet]), points, read["centre"])


def in_mujoco(model: Model, feet: list[str], path: Path) -> Stance:
    """Return the stance of the same robot with the same gains, by touch sensors."""
    held = held_model(model)
    write_mjcf(gambol.Model(held.model.figure, held.model.springs, q=held.model.q, ground=True), path)
    spec = LIBRARY.MjSpec.from_file(str(path))
    for geom in spec.geoms:  # only the ground touches
        geom.contype, geom.conaffinity = (1, 0) if geom.name == "ground" else (0, 1)
    for foot in feet:
        spec.body(foot).add_site(name=foot, type=LIBRARY.mjtGeom.mjGEOM_SPHERE, size=[1.0, 1.0, 1.0])
        spec.add_sensor(name=foot, type=LIBRARY.mjtSensor.mjSENS_TOUCH, objtype=LIBRARY.mjtObj.mjOBJ_SITE, objname=foot)
    joints = {motor.name: motor.joint for motor in held.model.motors}
    for name, (stiffness, damping) in held.gains.items():
        servo = spec.add_actuator(name=name, target=joints[name], trntype=LIBRARY.mjtTrn.mjTRN_JOINT)
        servo.biastype, servo.gainprm[0] = LIBRARY.mjtBias.mjBIAS_AFFINE, stiffness
        servo.biasprm[1], servo.biasprm[2] = -stiffness, -damping
    compiled = spec.compile()
    compiled.opt.timestep, compiled.opt.impratio = 0.001, 100.0  # stiff friction: feet hardly creep
    compiled.opt.cone = LIBRARY.mjtCone.mjCONE_ELLIPTIC
    compiled.opt.integrator = LIBRARY.mjtIntegrator.mjINT_IMPLICITFAST
    data = LIBRARY.MjData(compiled)
    LIBRARY.mj_resetDataKeyframe(compiled, data, 0)
    data.ctrl[:] = [data.qpos[compiled.jnt_qposadr[joint]] for joint in compiled.actuator_trnid[:, 0]]
    for _ in range(4000):
        LIBRARY.mj_step(compiled, data)
    return Stance(
        np.array([data.sensor(foot).data[0] for foot in feet]),
        np.array([_contact_place(compiled, data, foot) for foot in feet]),
        data.subtree_com[0].copy(),
    )


def _contact_place(model: Any, data: Any, foot: str) -> Any:
    """Return the mean place of the contacts of a foot, weighted by their normal forces [m]."""
    places, loads, force = [], [], np.zeros(6)
    for k in range(data.ncon):
        if model.body(foot).id in model.geom_bodyid[[data.contact[k].geom1, data.contact[k].geom2]]:
            LIBRARY.mj_contactForce(model, data, k, force)
            places.append(data.contact[k].pos.copy())
            loads.append(force[0])
    return np.average(places, axis=0, weights=loads)


@pytest.mark.slow
@pytest.mark.filterwarnings(
    "ignore::gambol.collide.broad.allowed.RestOverlapWarning"
)  # ANYmal's thighs overlap its base
@pytest.mark.parametrize("name", ["Go2", "ANYmal B"])
def test_feet_carry_the_weight_as_in_mujoco(name: str, tmp_path: Path):
    """The loads sum to the weight and balance about the centre of mass, in both engines.

    Robots creep differently while they settle, so loads differ by the lever rule: a centre of mass that is s further
    from the feet in front, which are L before those behind, moves W s / L to these. What remains is the imbalance of
    both, and a share of the diagonals, which four feet do not determine: a hundredth of the weight, as for a foot that
    is a tenth of a millimetre lower than the others on legs of some 1e4 N/m.
    """
    model = read_urdf(robot(name).path, "free", visuals=False)
    feet = [link.name for link in model.figure.links if "foot" in link.name.lower()]
    assert len(feet) == 4
    weight = model.figure.mass * G
    ours, theirs = in_gambol(model, feet), in_mujoco(model, feet, tmp_path / "robot.xml")
    length = float(np.ptp(ours.places[:, 0]))
    for stance in (ours, theirs):
        assert stance.loads.sum() == pytest.approx(weight, rel=1e-4)
        assert stance.imbalance() < 5e-3 * length
    shifts = (ours.centre - ours.places.mean(axis=0)) - (theirs.centre - theirs.places.mean(axis=0))
    expected = shifts[0] * weight / length
    front = np.argsort(ours.places[:, 0])[2:]
    difference = float(ours.loads[front].sum() - theirs.loads[front].sum())
    assert difference == pytest.approx(expected, abs=1e-2 * weight)
    moved = np.where(np.isin(np.arange(4), front), 0.5, -0.5) * expected
    np.testing.assert_allclose(ours.loads - moved, theirs.loads, atol=1e-2 * weight)
