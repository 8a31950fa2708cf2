"""Unitree's Go2 on the ground with simple shapes, as a model for both engines: masses and joints are of its URDF.

Its file has meshes only. A trunk of one capsule, thighs and shanks of capsules and feet of balls touch the ground and
each other, as in the models that are used for learning.
"""

import xml.etree.ElementTree as xml
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import mujoco

from benchmarks.robots import robot
from gambol.collide.broad import Pair, allowed_pairs
from gambol.figure import Capsule, Figure, Part, Sphere
from gambol.formats import Model, read_urdf, write_mjcf

FOOT, SHANK, THIGH, TRUNK = 0.022, 0.012, 0.017, 0.055  # m: radii, as in the URDF of the maker
LIMB, LENGTH = 0.213, 0.27  # m: length of thigh and shank; length of the trunk's capsule between its ends' centres
POSE = (0.0, 0.8, -1.5) * 4  # rad: hip, thigh and calf
ARMATURE, DAMPING = 0.01, 0.1  # kg m2, N m s/rad: rotors and gears, as MuJoCo Menagerie has them; the URDF has none
ALONG_X = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))


@cache
def go2() -> Model:
    """Return Go2 with simple shapes, motors with limited torques, and its joints' limits."""
    source = read_urdf(robot("Go2").path, "free", visuals=False)
    geared = [motor.joint for motor in source.motors]
    links = (
        replace(
            link,
            parts=_parts(link.name),
            joint=replace(link.joint, rotor=ARMATURE) if link.name in geared else link.joint,
        )
        for link in source.figure.given_links
    )
    springs = {name: replace(source.springs[name], damping=DAMPING) for name in geared}
    motors = (replace(motor, lower=motor.weakest, upper=motor.strongest) for motor in source.motors)
    figure = replace(source.figure, given_links=tuple(links))
    return replace(source, figure=figure, springs=springs, motors=tuple(motors), ground=True)


def _parts(link: str) -> tuple[Part, ...]:
    _, _, kind = link.rpartition("_")
    if link == "base":
        return (Part(Capsule(TRUNK, LENGTH), rotation=ALONG_X, inertial=False),)
    if kind == "foot":
        return (Part(Sphere(FOOT), inertial=False),)
    if kind in ("thigh", "calf"):
        return (Part(Capsule(THIGH if kind == "thigh" else SHANK, LIMB), (0.0, 0.0, -0.5 * LIMB), inertial=False),)
    return ()


def go2_in_mujoco(friction: float) -> Any:
    """Return MuJoCo's model of the same robot, whose parts touch each other where those of gambol do."""
    model = go2()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "go2.xml"
        write_mjcf(model, path)
        root = xml.parse(path).getroot()
    excluded = xml.SubElement(root, "contact")
    for one, other in excluded_links(model.figure):
        xml.SubElement(excluded, "exclude", body1=one, body2=other)
    native: Any = mujoco.MjModel.from_xml_string(xml.tostring(root, encoding="unicode"))
    native.geom_friction[:, 0] = friction
    native.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
    return native


def excluded_links(figure: Figure) -> list[tuple[str, str]]:
    """Return the pairs of links with parts that do not touch each other in gambol."""
    links = figure.links
    touching = {(links[pair.link - 1].name, links[pair.other - 1].name) for pair in touching_pairs()}
    solid = [link.name for link in links if link.parts]
    return [(a, b) for a, b in combinations(solid, 2) if (a, b) not in touching and (b, a) not in touching]


@cache
def touching_pairs() -> tuple[Pair, ...]:
    """Return the pairs of parts that may touch each other."""
    return allowed_pairs(go2().figure, springs=go2().springs)
