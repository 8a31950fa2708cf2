"""Reading URDF: robots as ROS describes them, one link and one joint for each of ours."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Literal

from gambol.errors import GambolError, did_you_mean
from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.formats.blame import blamed
from gambol.formats.markup import Element, read_markup
from gambol.formats.specimen import Specimen, check_size
from gambol.formats.urdf.elements import check_elements
from gambol.formats.urdf.joints import coupling_of, joint_of, motors_of, spring_of, without_room
from gambol.formats.urdf.masses import masses
from gambol.formats.urdf.meshes import MeshFolder
from gambol.formats.urdf.shapes import parts_of


def read_urdf(
    path: str | Path,
    base: Literal["fixed", "free"] = "fixed",
    *,
    leave_out: Collection[str] = (),
    mend: bool = False,
) -> Specimen:
    """The specimen that a URDF file describes.

    base: whether the first link is fixed to the world, as the format has it, or moves freely. leave_out: tags of
    elements, unknown to gambol, to read the file without. mend: whether inertias that no body can have are changed
    into the nearest possible ones. Limits come without stiffness (with_stops gives them some),
    mimic joints as couplings, limits of effort and transmissions as motors; the specimen's notes say what was left out.
    Raises GambolError, with file, line and cure, for what cannot be a robot.
    """
    robot = read_markup(path)
    if robot.tag != "robot":
        cure = " (read_mjcf reads MuJoCo's files)" if robot.tag == "mujoco" else ""
        raise GambolError(f"{robot.where}: a URDF file begins with <robot>, not with <{robot.tag}>{cure}")
    if base not in ("fixed", "free"):
        raise GambolError(f'a base cannot be "{base}"; {did_you_mean(base, ("fixed", "free"))}')
    check_size(len(robot.all("link")), robot.where)
    left_out, notes = check_elements(robot, leave_out), set[str]()
    places = {e.name(): e.where for tag in ("joint", "link") for e in robot.all(tag) if e.attributes.get("name")}
    with blamed(robot.file, places, {"no body can have": " (mend=True makes it possible)"}):
        joints = _joint_by_child(robot)
        figure = _figure(
            robot, joints, masses(robot, joints, mend, notes), (base, MeshFolder(Path(path).parent), notes)
        )
        return _specimen(robot, figure, joints, (left_out, notes))


def _figure(
    robot: Element,
    joints: Mapping[str, Element],
    own: Mapping[str, MassProperties],
    told: tuple[str, MeshFolder, set[str]],
) -> Figure:
    """The figure of a robot; own: its links' masses; told: its base, its meshes, and notes to add to."""
    base, meshes, notes = told
    children = {joint.name(): child for child, joint in joints.items()}
    links = tuple(
        Link(name, *_hung(joints.get(name), base), parts_of(link, meshes, notes), own.get(name))
        for link in robot.all("link")
        for name in [link.name()]
    )
    couplings = (coupling_of(joint, children) for joint in robot.all("joint"))
    constraints = tuple(coupling for coupling in couplings if coupling is not None)
    return Figure(robot.attributes.get("name") or "robot", links, constraints=constraints)


def _specimen(
    robot: Element, figure: Figure, joints: Mapping[str, Element], told: tuple[tuple[str, ...], set[str]]
) -> Specimen:
    """The figure with what pushes and drives its joints; told: notes that were made, and a set for those to come."""
    left_out, notes = told
    children = {joint.name(): child for child, joint in joints.items()}
    springs = {child: spring for child, joint in joints.items() if (spring := spring_of(joint)) is not None}
    stuck = [joint.name() for joint in joints.values() if without_room(joint)]
    if stuck:
        notes.add(f"Joints without room between their limits move without limits: {', '.join(stuck)}.")
    if any(joint.one("safety_controller") for joint in joints.values()):
        notes.add("Left out: soft limits of safety controllers.")
    motors = motors_of(robot, children, notes)
    return Specimen(figure, springs, motors, notes=(*left_out, *sorted(notes)))


def _hung(joint: Element | None, base: str) -> tuple[str | None, Joint]:
    """The parent of a link and the joint that it hangs by; None for the link that no joint carries."""
    if joint is None:
        return None, Joint(base)
    parent = joint.one("parent")
    assert parent is not None  # checked with the names
    return parent.name("link"), joint_of(joint)


def _joint_by_child(robot: Element) -> dict[str, Element]:
    """The joint that carries each link, with every name looked up."""
    links: dict[str, Element] = {}
    for link in robot.all("link"):
        if link.name() in links:
            raise GambolError(f'{link.where}: a second link is called "{link.name()}"; give it another name')
        links[link.name()] = link
    carried: dict[str, Element] = {}
    names: set[str] = set()
    for joint in robot.all("joint"):
        if joint.name() in names:
            raise GambolError(f'{joint.where}: a second joint is called "{joint.name()}"; give it another name')
        names.add(joint.name())
        child = _end(joint, "child", links)
        _end(joint, "parent", links)
        if child in carried:
            raise GambolError(
                f'{joint.where}: joints "{carried[child].name()}" and "{joint.name()}" both carry link "{child}"; '
                "a link hangs on one"
            )
        carried[child] = joint
    return carried


def _end(joint: Element, tag: str, links: dict[str, Element]) -> str:
    """The link at one end of a joint."""
    end = joint.one(tag)
    if end is None:
        raise GambolError(f'{joint.where}: joint "{joint.name()}" has no <{tag} link="..."/>')
    name = end.name("link")
    if name not in links:
        cure = did_you_mean(name, links)
        raise GambolError(f'{end.where}: joint "{joint.name()}" has the {tag} "{name}", which does not exist; {cure}')
    return name
