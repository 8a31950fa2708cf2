"""Reading USD: rigid bodies and joints of a stage become links and joints of a figure. [OpenUSD, UsdPhysics]"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from gambol.errors import GambolError, did_you_mean
from gambol.figure import FOREST_ROOT, Figure, Joint, Link, Part, Triple
from gambol.figure.rotation import matrix, triple
from gambol.formats.error_location import located_errors
from gambol.formats.model import EARTH_GRAVITY, Model, check_size
from gambol.formats.usd.actuators import actuators_of
from gambol.formats.usd.joints import KINDS, StageJoint, read_joint
from gambol.formats.usd.links import LinkChain, LinkFreedom, PlacedBody, chain_of, couplings_of, frame_of, spring_of
from gambol.formats.usd.loops import FEATURE, closures_of, mimics_of
from gambol.formats.usd.masses import body_mass
from gambol.formats.usd.motors import motors_of
from gambol.formats.usd.pairs import pairs_of
from gambol.formats.usd.shapes import PartMaker, chosen_shapes
from gambol.formats.usd.stage import Array, Prim, Stage, open_stage
from gambol.formats.usd.tree import WORLD, Branch, branches_of
from gambol.formats.usd.velocities import initial_velocities
from gambol.formats.usd.visuals import VisualMaker
from gambol.spatial.rotation import Rotation, quaternion_of

STANDARD_GRAVITY = 9.81  # m/s2, where a scene states none
PLANE_TOLERANCE = 1e-6
"""Maximum height [m], and maximum difference of the normal from z, of a plane that is the ground: numbers of the file
are float32."""


def read_usd(path: str | Path, *, leave_out: Collection[str] = (), visuals: bool = True) -> Model:
    """Return the model that a USD file describes by UsdPhysics: .usd, .usda, .usdc or .usdz.

    path: path of the file; files that it refers to must lie below its folder. leave_out: ["joints"] to leave out joints
    that gambol lacks. visuals: False to draw the parts of links instead of what the file shows. Each rigid body becomes
    a link with the body's axes. Bodies start where the file places them; drives become motors, joints that close loops
    become closures, and joint limits have no stiffness (with_stops adds it). The notes of the model list omitted and
    approximated features. Raises GambolError, with file and prim, if OpenUSD is not installed or cannot read the file,
    if the file has no rigid body, or for features that a figure cannot have.
    """
    for name in leave_out:
        if name != FEATURE:
            raise GambolError(f'"{name}" cannot be left out of a USD file; {did_you_mean(name, [FEATURE])}')
    stage = open_stage(Path(path), visuals)
    check_size(len(stage.prims("bodies")) + len(stage.prims("joints")), stage.file)
    with located_errors(stage.file, {}):
        return _model(stage, Path(path).stem, bool(leave_out))


@dataclass
class _Tree:
    """The links of a figure while they are made.

    frames: for each body the name of its link, and the pose of the link's frame in the world. q: coordinates by link.
    """

    links: list[Link] = field(default_factory=list[Link])
    link_freedoms: list[LinkFreedom] = field(default_factory=list[LinkFreedom])
    frames: dict[str, tuple[str, Array]] = field(default_factory=dict[str, tuple[str, Array]])
    q: dict[str, tuple[float, ...]] = field(default_factory=dict[str, tuple[float, ...]])


def _model(stage: Stage, name: str, leave_out: bool) -> Model:
    notes = _stage_notes(stage)
    maker = PartMaker(stage, notes)
    bodies, obstacles = _bodies(stage, maker, notes), _obstacles(stage, maker, notes)
    if not bodies:
        raise GambolError(
            f"{stage.file} has no rigid body that moves (UsdPhysics); a file with motion only cannot be read"
        )
    joints = _joints(stage, {path: body.pose for path, body in bodies.items()}, leave_out, notes)
    articulations = stage.content["articulations"]
    in_series = any(each["in_series"] for each in (*articulations.values(), *stage.prims("joints")))
    branches, loops = branches_of(list(bodies), joints, articulations, in_series)
    tree = _tree(branches, bodies, obstacles, notes)
    constraints = (
        *couplings_of(tree.link_freedoms),
        *mimics_of(stage, tree.link_freedoms, notes),
        *closures_of(stage, loops, tree.frames, leave_out, notes),
    )
    pairs = pairs_of(stage, joints, tree.frames, notes)
    figure = Figure(name, tuple(tree.links), False, constraints, *pairs)
    springs = {entry.link: spring for entry in tree.link_freedoms if (spring := spring_of(entry)) is not None}
    motors = (*motors_of(stage, tree.link_freedoms, notes), *actuators_of(stage, tree.link_freedoms, notes))
    q = tuple(x for link in figure.links for x in tree.q.get(link.name, ()))
    rates = initial_velocities(stage, branches, bodies, tree.link_freedoms, notes)
    v = [x for link in figure.links for x in rates.get(link.name) or (0.0,) * (link.v.stop - link.v.start)]
    ground = any(_is_ground(stage, shape) for shape in stage.prims("shapes"))
    return Model(figure, springs, motors, q, tuple(v), _gravity(stage), ground, tuple(sorted(notes)))


def _stage_notes(stage: Stage) -> set[str]:
    """Return sentences on the content of a stage that is not read."""
    notes: set[str] = set()
    unread, schemas = stage.content["unread"], stage.content["schemas"]
    if unread:
        notes.add(f"Left out: prims of type {', '.join(f'{kind} ({n})' for kind, n in sorted(unread.items()))}.")
    if schemas:
        notes.add(f"Left out: the data of the schemas {', '.join(schemas)}.")
    if stage.content["missing"]:
        notes.add(f"Files that do not exist: {', '.join(stage.content['missing'])}.")
    if any(body["kinematic"] for body in stage.prims("bodies")):
        notes.add("Kinematic bodies stay where they are.")
    return notes


def _bodies(stage: Stage, maker: PartMaker, notes: set[str]) -> dict[str, PlacedBody]:
    """Return the moving bodies of a stage, by path."""
    moving = [body for body in stage.prims("bodies") if body["moves"]]
    names = short_names([body["path"] for body in moving], {FOREST_ROOT})
    shapes: dict[str, list[Prim]] = {}
    for shape in stage.prims("shapes"):
        shapes.setdefault(shape["body"], []).append(shape)
    bodies: dict[str, PlacedBody] = {}
    drawn = VisualMaker(stage, notes)
    for body in moving:
        place = stage.place(body["matrix"], body["path"])
        own_shapes = shapes.get(body["path"], [])
        chosen = chosen_shapes(own_shapes)
        pairs = [(shape, part) for shape in chosen if (part := maker.part(shape, place.pose)) is not None]
        mass = body_mass(stage, body, place, [pair for pair in pairs if pair[0]["collider"]])
        parts = tuple(part for _, part in pairs)
        visuals = drawn.visuals(own_shapes, maker, place.pose, parts)
        bodies[body["path"]] = PlacedBody(names[body["path"]], place.pose, mass, parts, visuals)
    return bodies


def _obstacles(stage: Stage, maker: PartMaker, notes: set[str]) -> tuple[Part, ...]:
    """Return the colliders that belong to no moving body, without the ground, as parts in the world."""
    moving = {body["path"] for body in stage.prims("bodies") if body["moves"]}
    fixed = [shape for shape in stage.prims("shapes") if shape["collides"] and shape["body"] not in moving]
    for shape in fixed:
        if shape["kind"] == "Plane" and not _is_ground(stage, shape):
            notes.add(f'Left out: the plane "{shape["path"]}", which is not the plane z = 0.')
    parts = (maker.part(shape, np.eye(4)) for shape in fixed if shape["kind"] != "Plane")
    return tuple(part for part in parts if part is not None)


def _is_ground(stage: Stage, shape: Prim) -> bool:
    """Return True if a shape is the ground: a colliding plane z = 0 that belongs to no body."""
    if shape["kind"] != "Plane" or not shape["collides"] or shape["body"]:
        return False
    pose = stage.place(shape["matrix"], shape["path"]).pose
    normal = pose[:3, {"X": 0, "Y": 1}.get(shape["axis"], 2)]
    return bool(abs(normal[2] - 1.0) < PLANE_TOLERANCE and abs(pose[2, 3]) < PLANE_TOLERANCE)


def _joints(stage: Stage, moving: Mapping[str, Array], leave_out: bool, notes: set[str]) -> list[StageJoint]:
    """Return the joints that move something. Raises GambolError for unknown types, unless they are left out."""
    joints: list[StageJoint] = []
    for prim in stage.prims("joints"):
        if prim["kind"] not in KINDS:
            if not leave_out:
                raise GambolError(
                    f'{stage.file}: joint "{prim["path"]}" is of type {prim["kind"]}, which gambol does not simulate; '
                    f"leave_out=['{FEATURE}'] reads the file without it"
                )
            notes.add(f'Left out: joint "{prim["path"]}" of type {prim["kind"]}.')
        elif not prim["enabled"]:
            notes.add(f'Left out: joint "{prim["path"]}", which is not enabled.')
        else:
            joint = read_joint(stage, prim, moving, notes)
            joints += [joint] if any(joint.bodies) else []
    return joints


def _tree(
    branches: Sequence[Branch], bodies: Mapping[str, PlacedBody], obstacles: tuple[Part, ...], notes: set[str]
) -> _Tree:
    """Return the links of all branches, below a fixed link if there are several roots or obstacles."""
    tree, names = _Tree(), {body.name for body in bodies.values()}
    root = FOREST_ROOT if obstacles or sum(branch.parent == WORLD for branch in branches) > 1 else None
    if root is not None:
        tree.links.append(Link(root, None, Joint("fixed"), obstacles))
        names.add(root)
    chains: dict[str, LinkChain] = {}
    for branch in branches:
        body = bodies[branch.child]
        parent = tree.frames[branch.parent] if branch.parent != WORLD else (root, np.eye(4))
        chain = chain_of(branch, bodies, parent, names, notes)
        chains[branch.child] = chain
        tree.frames[branch.child] = (body.name, frame_of(body, chain.origin))
        tree.q |= {entry.link: entry.q for entry in chain.link_freedoms}
        if not branch.joints:
            quaternion = quaternion_of(Rotation(matrix(body.pose[:3, :3])))
            tree.q[body.name] = (*(float(x) for x in quaternion), *triple(body.pose[:3, 3]))
    for path in bodies:  # in the order of the file
        tree.links += chains[path].links
        tree.link_freedoms += chains[path].link_freedoms
    return tree


def _gravity(stage: Stage) -> Triple:
    """Return gravity in world axes [m/s2]: gravity of the first scene, or else of the Earth."""
    if not stage.prims("scenes"):
        return EARTH_GRAVITY
    scene = stage.prims("scenes")[0]
    direction = stage.up @ np.array(scene.get("gravityDirection", (0.0, 0.0, 0.0)), float)
    magnitude = float(scene.get("gravityMagnitude", -math.inf)) * stage.units.length
    length = float(np.linalg.norm(direction))
    direction = direction / length if length else np.array([0.0, 0.0, -1.0])
    return triple(direction * (magnitude if magnitude >= 0.0 else STANDARD_GRAVITY))


def short_names(paths: Sequence[str], used: Collection[str]) -> dict[str, str]:
    """Return a unique name for each path.

    It consists of as many of the path's last names as are needed to differ from all others and from used names.
    """
    names: dict[str, str] = {}
    tails = [path.strip("/").split("/") for path in paths]
    counts: dict[str, int] = {}
    for tail in tails:
        for k in range(len(tail)):
            suffix = "/".join(tail[k:])
            counts[suffix] = counts.get(suffix, 0) + 1
    for path, tail in zip(paths, tails, strict=True):
        candidates = ("/".join(tail[k:]) for k in range(len(tail) - 1, -1, -1))
        names[path] = next((name for name in candidates if counts[name] == 1 and name not in used), path)
    return names
