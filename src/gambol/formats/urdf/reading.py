"""Reading URDF, the robot format of ROS: each link and each joint becomes one of the figure."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Literal

from gambol.errors import GambolError, did_you_mean
from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.formats.error_location import located_errors
from gambol.formats.model import Model, check_size
from gambol.formats.urdf.elements import check_elements
from gambol.formats.urdf.joints import coupling_of, has_equal_limits, joint_of, motors_of, spring_of
from gambol.formats.urdf.masses import link_masses
from gambol.formats.urdf.meshes import MeshFolder
from gambol.formats.urdf.shapes import Sources, materials_of, parts_of
from gambol.formats.urdf.srdf import with_srdf
from gambol.formats.urdf.visuals import visuals_of
from gambol.formats.xml_file import Element, read_xml


def read_urdf(
    path: str | Path,
    base: Literal["fixed", "free"] = "fixed",
    *,
    leave_out: Collection[str] = (),
    fix_inertia: bool = False,
    visuals: bool = True,
    srdf: str | Path | None = None,
    pose: str | None = None,
) -> Model:
    """Return the model that a URDF file describes.

    path: path of the file. base: joint of the root link: "fixed" to the world, as in the format, or "free". leave_out:
    unknown tags to leave out. fix_inertia: True to replace inertias that no rigid body can have by the nearest possible
    ones. visuals: False to skip visual meshes, so that collision shapes are drawn. srdf: path of the SRDF file of the
    robot, whose disabled collisions become pairs without contact; pose: name of a pose in it, for the initial state;
    its coordinates of a fixed base are not used. Joint limits have no stiffness (with_stops adds it); mimic joints
    become couplings; effort limits and transmissions become motors. The notes of the model list all omitted features.
    Raises GambolError, with file, line and remedy, if the file does not describe a valid robot.
    """
    if pose is not None and srdf is None:
        raise GambolError(f'a URDF file has no poses; give the SRDF file with the pose "{pose}", too')
    robot = read_xml(path)
    if robot.tag != "robot":
        hint = " (read_mjcf reads MuJoCo's files)" if robot.tag == "mujoco" else ""
        raise GambolError(f"{robot.where}: a URDF file begins with <robot>, not with <{robot.tag}>{hint}")
    if base not in ("fixed", "free"):
        raise GambolError(f'a base cannot be "{base}"; {did_you_mean(base, ("fixed", "free"))}')
    check_size(len(robot.find_all("link")), robot.where)
    left_out, notes = check_elements(robot, leave_out), set[str]()
    locations = {
        e.name(): e.where for tag in ("joint", "link") for e in robot.find_all(tag) if e.attributes.get("name")
    }
    with located_errors(robot.file, locations, {"no body can have": " (fix_inertia=True makes it possible)"}):
        joints = _joint_by_child(robot)
        meshes = MeshFolder(Path(path).parent)
        shapes = Sources(meshes, materials_of(robot, meshes, notes), notes, visuals)
        figure = _figure(robot, joints, link_masses(robot, joints, fix_inertia, notes), (base, shapes))
        model = _model(robot, figure, joints, (left_out, notes))
    children = {joint.name(): child for child, joint in joints.items()}
    return model if srdf is None else with_srdf(model, srdf, pose, children)


def _figure(
    robot: Element,
    joints: Mapping[str, Element],
    masses: Mapping[str, MassProperties],
    sources: tuple[str, Sources],
) -> Figure:
    """Return the figure of a robot.

    joints: the joint element of each child link. masses: mass properties by link. sources: the kind of base, and the
    sources of its shapes.
    """
    base, shapes = sources
    children = {joint.name(): child for child, joint in joints.items()}
    links = tuple(
        Link(name, *_parent_and_joint(joints.get(name), base), parts, masses.get(name), visuals_of(link, parts, shapes))
        for link in robot.find_all("link")
        for name, parts in [(link.name(), parts_of(link, shapes))]
    )
    couplings = (coupling_of(joint, children) for joint in robot.find_all("joint"))
    constraints = tuple(coupling for coupling in couplings if coupling is not None)
    return Figure(robot.attributes.get("name") or "robot", links, constraints=constraints)


def _model(
    robot: Element, figure: Figure, joints: Mapping[str, Element], all_notes: tuple[tuple[str, ...], set[str]]
) -> Model:
    """Return the model of a figure with its springs and motors. joints: the joint element of each child link.

    all_notes: the notes on elements, and a set of other notes, to which some are added.
    """
    left_out, notes = all_notes
    children = {joint.name(): child for child, joint in joints.items()}
    springs = {child: spring for child, joint in joints.items() if (spring := spring_of(joint)) is not None}
    unlimited = [joint.name() for joint in joints.values() if has_equal_limits(joint)]
    if unlimited:
        notes.add(f"Joints with equal limits move without limits: {', '.join(unlimited)}.")
    if any(joint.find("safety_controller") for joint in joints.values()):
        notes.add("Left out: soft limits of safety controllers.")
    motors = motors_of(robot, children, notes)
    return Model(figure, springs, motors, notes=(*left_out, *sorted(notes)))


def _parent_and_joint(joint: Element | None, base: str) -> tuple[str | None, Joint]:
    """Return the parent and the joint of a link; the root has the parent None and the joint of the base."""
    if joint is None:
        return None, Joint(base)
    parent = joint.find("parent")
    assert parent is not None  # checked before
    return parent.name("link"), joint_of(joint)


def _joint_by_child(robot: Element) -> dict[str, Element]:
    """Return the joint element of each child link, by the link's name.

    Raises GambolError for duplicate and unknown names, and for a link with two parent joints.
    """
    links: dict[str, Element] = {}
    for link in robot.find_all("link"):
        if link.name() in links:
            raise GambolError(f'{link.where}: a second link is called "{link.name()}"; give it another name')
        links[link.name()] = link
    parent_joints: dict[str, Element] = {}
    names: set[str] = set()
    for joint in robot.find_all("joint"):
        if joint.name() in names:
            raise GambolError(f'{joint.where}: a second joint is called "{joint.name()}"; give it another name')
        names.add(joint.name())
        child = _end_link(joint, "child", links)
        _end_link(joint, "parent", links)
        if child in parent_joints:
            raise GambolError(
                f'{joint.where}: joints "{parent_joints[child].name()}" and "{joint.name()}" '
                f'both have the child "{child}"; a link has one parent joint'
            )
        parent_joints[child] = joint
    return parent_joints


def _end_link(joint: Element, tag: str, links: dict[str, Element]) -> str:
    """Return the name of a joint's parent or child link. tag: "parent" or "child"."""
    link_element = joint.find(tag)
    if link_element is None:
        raise GambolError(f'{joint.where}: joint "{joint.name()}" has no <{tag} link="..."/>')
    name = link_element.name("link")
    if name not in links:
        hint = did_you_mean(name, links)
        raise GambolError(
            f'{link_element.where}: joint "{joint.name()}" has the {tag} "{name}", which does not exist; {hint}'
        )
    return name
