"""A controller of a plan in MuJoCo: the same figure, points of contact, friction, torques and feedback."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import mujoco
import numpy as np

from benchmarks.robot_peers import MujocoRobot
from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.formats import Model, write_mjcf
from gambol.plan.motion.transcription.points import PlacedPoint
from gambol.plan.track.controller import tracking_pattern
from gambol.plan.track.deviation import scales_of, tracking_errors
from gambol.plan.track.interpolation import differences
from gambol.plan.track.pattern import TrackingPattern
from gambol.plan.track.task import TrackingTask, contact_figure
from gambol.plan.track.track import planned

SUBSTEPS = 4
"""Steps of MuJoCo in a control step: its contacts are soft, and stiff ones need short steps."""

BALL = 1e-3
"""Radius of the ball at a point of contact [m]. Its centre is the point, so the plane lies as much lower."""

SOLREF = (0.004, 1.0)
"""Time constant [s] and damping ratio of MuJoCo's contacts: stiff, and many steps long."""


MIN_INERTIA = 1e-6
"""Minimum mass and moment of a link in MuJoCo [kg, kg m2]: a millionth of the figures, and above its least of 1e-15."""


class PlanarRobot(MujocoRobot):
    """A robot in MuJoCo whose root may be planar: two slides along fixed axes and a hinge there, in this order."""

    def __init__(self, figure: Figure, spec: Any) -> None:
        root = figure.root
        self.planar = root if root.joint.kind == "planar" else None
        super().__init__(_without_slides(figure, spec) if self.planar else figure, spec)
        self.figure = figure
        if self.planar:
            own = {link.name for link in figure.links} - {root.name}
            self.joints = [(figure.link(link.name), joint) for link, joint in self.joints if link.name in own]

    def position(self, q: np.ndarray) -> np.ndarray:
        """Return qpos for the figure's coordinates."""
        qpos = super().position(q)
        if self.planar:
            angle, x, y = q[self.planar.q]
            qpos[:3] = x, y, angle
        return qpos

    def velocity_map(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return B and d with qvel = B v and qacc = B a + d; d is not used here, and 0 for a planar root."""
        B, d = super().velocity_map(q, v)
        if self.planar:
            c, s = np.cos(q[self.planar.q][0]), np.sin(q[self.planar.q][0])
            B[:3, self.planar.v] = [[0.0, c, -s], [0.0, s, c], [1.0, 0.0, 0.0]]
        return B, d

    def state(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the figure's q and v in MuJoCo's current state."""
        if not self.planar:
            return super().state()
        q, v = np.zeros(self.figure.nq), np.zeros(self.figure.nv)
        for link, joint in self.joints:
            q[link.q] = self.data.qpos[self.model.jnt_qposadr[joint]]
        x, y, angle = self.data.qpos[:3]
        q[self.planar.q] = angle, x, y
        return q, self.velocity_map(q, v)[0].T @ self.data.qvel


def _without_slides(figure: Figure, spec: Any) -> Figure:
    """Return a figure that has the slides of MuJoCo's root as links, for the names of its joints."""
    body = MassProperties(1.0, (0.0, 0.0, 0.0), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    known = {link.name for link in figure.links}
    names = [joint.name for joint in spec.joints if joint.name not in known]
    extra = tuple(Link(name, figure.root.name, Joint("prismatic", (1.0, 0.0, 0.0)), (), body) for name in names)
    return replace(figure, given_links=(*figure.given_links, *extra))


def mujoco_tracking_error(task: TrackingTask, cycles: int = 1, rate: float = 960.0) -> float:
    """Return the tracking error of a task in MuJoCo, at every control step."""
    pattern = tracking_pattern(task, rate)
    q = follow(task, pattern, cycles)
    deviations = differences(task.trajectory.figure, planned(pattern, len(q), 1), q)
    return max(tracking_errors(deviations, scales_of(task.trajectory)).values())


def follow(task: TrackingTask, pattern: TrackingPattern, cycles: int = 1) -> np.ndarray:
    """Return q (N, nq) at the start of every control step, and at the end."""
    robot = mujoco_robot(task, pattern.reference.dt / SUBSTEPS)
    figure, data, trajectory = task.trajectory.figure, robot.data, task.trajectory
    robot.set_state(trajectory.q[0], trajectory.v[0])
    steps = cycles * len(pattern.reference.q)
    path = [trajectory.q[0]]
    for k in range(steps):
        q, v = robot.state()
        tau = np.zeros(figure.nv)
        tau[list(task.freedoms)] = torques(pattern, k, q, v)
        data.qfrc_applied[:] = robot.velocity_map(q, v)[0] @ tau
        for _ in range(SUBSTEPS):
            mujoco.mj_step(robot.model, data)
        path.append(robot.state()[0])
    return np.array(path[:steps])


def torques(pattern: TrackingPattern, k: int, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the torque of each actuator in control step k, by arrays."""
    reference = pattern.reference
    row, cycle = (k % len(reference.q), k // len(reference.q)) if reference.cyclic else (k, 0)
    row = min(row, len(reference.q) - 1)
    q_ref = reference.q[row] + cycle * reference.shift
    x = np.concatenate([differences(reference.figure, q_ref[None], q[None])[0], v - reference.v[row]])
    low, high = np.transpose(pattern.limits)
    return np.clip(reference.torques[row] - reference.gains[row // reference.hold] @ x, low, high)


def mujoco_robot(task: TrackingTask, step: float) -> PlanarRobot:
    """Return the figure of a task in MuJoCo, with balls at its points of contact that press on a plane at z = 0."""
    contacts = tuple(_ball(contact) for contact in task.surroundings.contacts)
    figure = with_inertia(contact_figure(task.trajectory.figure, contacts, 1.0))
    gravity = task.surroundings.gravity
    vector = (0.0, 0.0, -gravity) if isinstance(gravity, (int, float)) else gravity
    model = Model(figure, task.surroundings.springs, gravity=vector, ground=bool(contacts))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "followed.xml"
        write_mjcf(model, path)
        spec = mujoco.MjSpec.from_file(str(path))
    for geom in spec.geoms:
        if geom.name == "ground" and not any(contact.radius for contact in task.surroundings.contacts):
            geom.pos[2] = -BALL
        geom.friction[0], geom.solref[:] = task.friction, SOLREF
        geom.condim, geom.solimp[:2] = 3, (0.99, 0.999)
    spec.option.cone, spec.option.impratio = int(mujoco.mjtCone.mjCONE_ELLIPTIC), 100.0
    robot = PlanarRobot(task.trajectory.figure, spec)
    robot.model.opt.disableflags, robot.model.opt.timestep = 0, step
    robot.model.opt.integrator = int(mujoco.mjtIntegrator.mjINT_IMPLICITFAST)
    return robot


def with_inertia(figure: Figure) -> Figure:
    """Return a figure whose links all have a mass and moments of at least MIN_INERTIA, as MuJoCo needs."""
    links = []
    for link in figure.given_links:
        body = figure.link(link.name).mass_properties
        moments = np.array(body.inertia, float)
        added = MIN_INERTIA * np.eye(3) if np.linalg.eigvalsh(moments)[0] < MIN_INERTIA else np.zeros((3, 3))
        inertia = tuple(map(tuple, (moments + added).tolist()))
        links.append(replace(link, given_mass=MassProperties(max(float(body.mass), MIN_INERTIA), body.com, inertia)))
    return replace(figure, given_links=tuple(links))


def _ball(contact: PlacedPoint) -> PlacedPoint:
    """Return a point of contact as the centre of a small ball."""
    return contact if contact.radius else replace(contact, radius=BALL)
