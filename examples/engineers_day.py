"""An engineer's day: Go2 and ANYmal hold, are pushed and feel their feet; a law of one's own in a thousand worlds.

It needs `pip install 'gambol[files]' example-robot-data`. Forces of the feet are compared with the weight, and those of
Go2 with MuJoCo's touch sensors. Times are printed.
"""

import sys
import tempfile
import warnings
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time

import mujoco
import numpy as np

import gambol
from gambol.collide.broad.allowed import RestOverlapWarning
from gambol.creatures.holding import held_model
from gambol.sensing import ContactForce

ROBOTS = {"Go2": "go2_description/urdf/go2.urdf", "ANYmal": "anymal_b_simple_description/robots/anymal.urdf"}
SHARE = "cmeel.prefix/share/example-robot-data/robots"
G = 9.81


def robot(name: str) -> gambol.Model:
    """Return a robot on a free base."""
    path = Path(SHARE) / ROBOTS[name]
    file = next(Path(folder) / path for folder in sys.path if (Path(folder) / path).is_file())
    return gambol.read_urdf(file, "free", visuals=False)


def feet_of(model: gambol.Model) -> list[str]:
    """Return the names of the links that are feet."""
    return [link.name for link in model.figure.links if "foot" in link.name.lower()]


def stand(model: gambol.Model) -> np.ndarray:
    """Return the vertical forces of the feet of a robot that holds, is pushed at 1 s, and stands again [N]."""
    weight = model.figure.mass * G
    push = gambol.Push((0.0, 0.25 * weight, 0.0), 1.0, 1.1)
    sensors = {foot: ContactForce(foot) for foot in feet_of(model)}
    world = gambol.make_world(
        model, hold=True, contact="stepping", pairs=(), sensors=sensors, external=gambol.External(push=push)
    )
    state = gambol.start(world)
    film = gambol.run(world, state, 3.0, rate=20.0)
    assert film.quaternion[-1, 0, 0, 0] > 0.999, "it is upright"
    return np.array([values[0, 2] for values in gambol.sensors(world, state).values()])


def stand_in_mujoco(model: gambol.Model) -> np.ndarray:
    """Return what MuJoCo's touch sensors read of the same robot in the same pose, with the same gains [N]."""
    held = held_model(model)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "robot.xml"
        gambol.write_mjcf(gambol.Model(held.model.figure, held.model.springs, q=held.model.q, ground=True), file)
        spec = mujoco.MjSpec.from_file(str(file))
    for geom in spec.geoms:  # only the ground touches
        geom.contype, geom.conaffinity = (1, 0) if geom.name == "ground" else (0, 1)
    for foot in feet_of(model):
        spec.body(foot).add_site(name=foot, type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[1.0, 1.0, 1.0])
        kind, site = mujoco.mjtSensor.mjSENS_TOUCH, mujoco.mjtObj.mjOBJ_SITE
        spec.add_sensor(name=foot, type=kind, objtype=site, objname=foot)
    joints = {motor.name: motor.joint for motor in held.model.motors}
    for name, (stiffness, damping) in held.gains.items():
        servo = spec.add_actuator(name=name, target=joints[name], trntype=mujoco.mjtTrn.mjTRN_JOINT)
        servo.biastype, servo.gainprm[0] = mujoco.mjtBias.mjBIAS_AFFINE, stiffness
        servo.biasprm[1], servo.biasprm[2] = -stiffness, -damping
    compiled = spec.compile()
    compiled.opt.timestep, compiled.opt.impratio = 0.001, 100.0  # stiff friction: feet hardly creep
    compiled.opt.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    compiled.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    data = mujoco.MjData(compiled)
    mujoco.mj_resetDataKeyframe(compiled, data, 0)
    data.ctrl[:] = [data.qpos[compiled.jnt_qposadr[joint]] for joint in compiled.actuator_trnid[:, 0]]
    for _ in range(4000):
        mujoco.mj_step(compiled, data)
    return np.array([data.sensor(foot).data[0] for foot in feet_of(model)])


def by_my_law(model: gambol.Model, worlds: int, seconds: float) -> float:
    """Return the processor time of a tick, law and step [us]: the law is a spring and a damper, 1000 times a second."""
    held = held_model(model).model
    pose, timing = np.array(held.q)[7:], gambol.Timing(1e-3, 1e-3, "semi-implicit euler")

    def law(time: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return 100.0 * (pose - q[..., 7:]) - 2.0 * v[..., 6:]

    world = gambol.make_world(held, actuators=True, unlimited=1e3, contact="stepping", timing=timing, pairs=())
    state = gambol.start(world, worlds, precision="float64" if worlds == 1 else "float32")
    gambol.run(world, state, 0.01, rate=100.0, control=law)  # loads the program
    started = process_time()
    gambol.run(world, state, seconds, rate=100.0, control=law)
    assert np.abs(state.q[:, 7:] - pose).max() < 0.3, "they stand"
    return 1e6 * (process_time() - started) / (1000.0 * seconds)


def main() -> None:
    warnings.simplefilter("ignore", RestOverlapWarning)  # ANYmal's thighs overlap its trunk
    started = perf_counter()
    loads = {name: stand(robot(name)) for name in ROBOTS}
    for name, load in loads.items():
        weight = robot(name).figure.mass * G
        print(f"{name}: feet carry {np.round(load, 1)} N, together {load.sum() / weight:.5f} of its weight")
        assert abs(load.sum() - weight) < 1e-3 * weight
    print(f"both held, pushed and felt after {perf_counter() - started:.1f} s")
    model = robot("Go2")
    theirs = stand_in_mujoco(model)
    print(f"MuJoCo's touch sensors of Go2: {np.round(theirs, 1)} N")
    weight = model.figure.mass * G
    assert abs(theirs.sum() - weight) < 1e-3 * weight
    front = [name.startswith("F") for name in feet_of(model)]
    assert abs(loads["Go2"][front].sum() - theirs[front].sum()) < 0.05 * weight, "pairs of feet carry the same load"
    model = replace(model, ground=True)
    for worlds, seconds in ((1, 1.0), (1000, 0.1)):
        tick = by_my_law(model, worlds, seconds)
        print(f"a law of my own in {worlds} worlds: {tick:.0f} us a tick, {tick / worlds:.2f} us for each world")
    print(f"the day took {perf_counter() - started:.1f} s")


if __name__ == "__main__":
    main()
