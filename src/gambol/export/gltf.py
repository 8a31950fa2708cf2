"""glTF 2.0 as one binary file (.glb): a node for each link with its shapes, or one skin over all links; and matter.

glTF has y up and metres: one root node turns the film's axes by -90 degrees about x, and below it all is as in the
film. Quaternions are (x, y, z, w), with signs for the shorter motion between frames. [Khronos, glTF 2.0 specification]
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.export.clip import Y_UP, Clip, RootMotion, clip_of, product, rotated, split_root_motion
from gambol.export.gltf_buffer import ARRAY, ELEMENTS, GltfBuffer, pygltflib
from gambol.export.gltf_materials import GltfMaterials
from gambol.export.indexed import IndexedMesh, indexed, indexed_shape
from gambol.export.matter_surfaces import MovingSurface, moving_surfaces
from gambol.export.morphs import Morphs, check_size, morphs_of
from gambol.export.particle_balls import Ball, Color, balls_of
from gambol.export.skin import Skin, skin_of
from gambol.figure.color import linear_rgb
from gambol.formats import atomic_write, check_suffix
from gambol.view.scene.meshes import ground_mesh
from gambol.world.film import Film, FilmShape

GROUND_COLOR = (0.92, 0.9, 0.86)

BallKey = tuple[str, Color]
"""Name and colour of balls."""

Output = tuple[int, str, int, str]
"""A channel of an animation: the node, its animated property, the accessor of the values, and their interpolation."""


def write_gltf(
    films: Film | Sequence[Film],
    path: str | Path,
    *,
    rate: float | None = None,
    scale: float = 1.0,
    skin: bool = False,
    ground: bool = False,
    root_motion: bool = False,
) -> Path:
    """Write the first world of films of one figure as .glb. Returns the path.

    films: one or several takes; each becomes a named clip. rate: frames per second of simulated time; None: the rate of
    the film, at most 240. scale: scale of lengths, such as 100 for a creature of 3 cm. skin: True for one smooth mesh
    over all links, False for a node with meshes for each link. ground: True to add uneven ground as a mesh.
    root_motion: True to move the root node along the ground, and the links relative to it, as in games. Cloth, ropes
    and muscles move by morph targets, see morphs.py; particles are balls, see particle_balls.py. Raises GambolError for
    films of different links or matter, for matter of too many points and frames, for another suffix, as in clip_of(),
    and if pygltflib is not installed.
    """
    check_suffix(path, "binary glTF", ".glb")
    takes = [films] if isinstance(films, Film) else list(films)
    if not takes:
        raise GambolError("give at least one film to write as glTF")
    clips = [clip_of(film, rate=rate, scale=scale) for film in takes]
    if other := next((clip for clip in clips if clip.links != clips[0].links), None):
        raise GambolError(f'film "{other.name}" has other links than "{clips[0].name}"; takes are of one figure')
    matter, balls = _matter_of(clips), [balls_of(clip.matter, clip.rate) for clip in clips]
    root_motions: list[RootMotion | None] = [None] * len(clips)
    if root_motion:
        clips, root_motions = (list(each) for each in zip(*map(split_root_motion, clips), strict=True))
    with TemporaryFile() as data, atomic_write(path) as temporary:
        writer = _Gltf(clips[0], GltfBuffer(data))
        if skin:
            writer.add_skin(skin_of(clips[0]))
        else:
            writer.add_shapes()
        if ground and takes[0].ground.heights is not None:
            writer.add_ground(indexed(ground_mesh(takes[0].ground), scale))
        moving = [writer.add_matter(surface, morphs) for surface, morphs in matter]
        nodes = writer.add_balls(balls)
        first = 0
        for clip, name, motion, clip_balls in zip(clips, _clip_names(clips), root_motions, balls, strict=True):
            frames = slice(first, first := first + len(clip.position))
            weights = {node: morphs.weights[frames] for node, (_, morphs) in zip(moving, matter, strict=True)}
            outputs = writer.ball_outputs(nodes, clip_balls, len(clip.position))
            writer.add_clip(clip, name, motion, weights, outputs)
        writer.buffer.write_file(writer.description(), temporary)
    return Path(path)


class _Gltf:
    """A glTF file under construction: nodes 0 to L - 1 are the links, node L is the root."""

    def __init__(self, clip: Clip, buffer: GltfBuffer) -> None:
        self.lib, self.clip, self.buffer = pygltflib(), clip, buffer
        positions, rotations = clip.local
        self.nodes = [
            self.lib.Node(name=link, translation=positions[0, k].tolist(), rotation=_xyzw(rotations[0, k]))
            for k, link in enumerate(clip.links)
        ]
        for k, parent in enumerate(clip.parents):
            if parent >= 0:
                self.nodes[parent].children.append(k)
        roots = [k for k, parent in enumerate(clip.parents) if parent < 0]
        self.nodes.append(self.lib.Node(name=clip.name[:60] or "creature", rotation=_xyzw(Y_UP), children=roots))
        self.scene, self.meshes, self.skins, self.animations = [len(clip.links)], list[Any](), list[Any](), list[Any]()
        self.materials = GltfMaterials(self.buffer)

    def add_shapes(self) -> None:
        """Add a node with a mesh for each shape; shapes of equal kind, size and material share a mesh."""
        known: dict[tuple[Any, ...], int] = {}
        for shape, color in zip(self.clip.drawn, self.clip.drawn_colors, strict=True):
            look = color, shape.opacity, shape.texture, shape.finish
            material = self.materials.number(*look, two_sided=shape.mesh is not None)
            key = (shape.kind, shape.size, id(shape.mesh), material)
            if key not in known:
                mesh = indexed_shape(shape, self.clip.scale)
                known[key] = self._add_mesh(shape.kind, self._primitive(mesh, material))
            node = self.lib.Node(
                name=f"{self.clip.links[shape.link]} {shape.kind}",
                mesh=known[key],
                translation=[x * self.clip.scale for x in shape.position],
                rotation=_xyzw(np.array(shape.quaternion)),
            )
            self.nodes.append(node)
            self.nodes[shape.link].children.append(len(self.nodes) - 1)

    def add_skin(self, skin: Skin) -> None:
        """Add one mesh in the pose of the first frame, which the links deform."""
        primitive = self._primitive(skin.mesh, self.materials.number((1.0, 1.0, 1.0)))
        primitive.attributes.JOINTS_0 = self.buffer.add(skin.links, target=ARRAY)
        primitive.attributes.WEIGHTS_0 = self.buffer.add(skin.weights, target=ARRAY)
        primitive.attributes.COLOR_0 = self.buffer.add(linear_rgb(skin.colors).astype(np.float32), target=ARRAY)
        binds = self.buffer.add(skin.inverse_binds.astype(np.float32))
        joints = list(range(len(self.clip.links)))
        self.skins.append(self.lib.Skin(joints=joints, inverseBindMatrices=binds, skeleton=len(joints)))
        self.nodes.append(self.lib.Node(name="skin", mesh=self._add_mesh("skin", primitive), skin=0))
        self.scene.append(len(self.nodes) - 1)

    def add_ground(self, mesh: IndexedMesh) -> None:
        """Add the ground, which does not move."""
        primitive = self._primitive(mesh, self.materials.number(GROUND_COLOR))
        self._add_to_scene(self.lib.Node(name="ground", mesh=self._add_mesh("ground", primitive)))

    def add_matter(self, surface: MovingSurface, morphs: Morphs) -> int:
        """Add a surface that moves by weights of morph targets, and return its node."""
        scale, triangles = self.clip.scale, surface.triangles.reshape(-1).astype(np.uint32)
        mesh = IndexedMesh(morphs.rest * np.float32(scale), morphs.rest_normals, triangles)
        primitive = self._primitive(mesh, self.materials.number(surface.color, two_sided=True))
        for shape, normals in zip(morphs.shapes, morphs.normals, strict=True):
            target = {
                "POSITION": self.buffer.add(shape * np.float32(scale), target=ARRAY, bounds=True),
                "NORMAL": self.buffer.add(normals, target=ARRAY),
            }
            primitive.targets.append(target)
        number = self._add_mesh(surface.name, primitive)
        self.meshes[number].weights = morphs.weights[0].tolist()
        return self._add_to_scene(self.lib.Node(name=surface.name, mesh=number))

    def add_balls(self, takes: Sequence[Sequence[Ball]]) -> dict[BallKey, list[int]]:
        """Add nodes for the balls of all takes below one node; return them by name and colour.

        Balls of one name and colour share a mesh; as many nodes are made as a take needs at most.
        """
        counts = [Counter((ball.name, ball.color) for ball in balls) for balls in takes]
        max_counts: dict[BallKey, int] = {key: max(count[key] for count in counts) for each in counts for key in each}
        unit = indexed_shape(FilmShape(0, "sphere", (1.0,), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)))
        nodes: dict[BallKey, list[int]] = {}
        for (name, (red, green, blue, opacity)), count in max_counts.items():
            material = self.materials.number((red / 255, green / 255, blue / 255), opacity / 255)
            mesh = self._add_mesh(name, self._primitive(unit, material))
            nodes[name, (red, green, blue, opacity)] = new = list(range(len(self.nodes), len(self.nodes) + count))
            self.nodes += [self.lib.Node(name=f"{name} {k}", mesh=mesh, scale=[0.0] * 3) for k in new]
        if nodes:
            self._add_to_scene(self.lib.Node(name="particles", children=[k for each in nodes.values() for k in each]))
        return nodes

    def ball_outputs(self, nodes: Mapping[BallKey, list[int]], balls: Sequence[Ball], frames: int) -> list[Output]:
        """Return the motion of a clip's balls. Unused nodes have size 0. frames: number of frames of the clip."""
        free, outputs = {key: list(numbers) for key, numbers in nodes.items()}, list[Output]()
        for ball in balls:
            node, scale = free[ball.name, ball.color].pop(0), np.float32(self.clip.scale)
            outputs.append((node, "translation", self.buffer.add(ball.positions * scale), "LINEAR"))
            sizes = np.repeat(ball.radii[:, None] * scale, 3, axis=1)
            outputs.append((node, "scale", self.buffer.add(sizes), "STEP"))
        unused = [node for numbers in free.values() for node in numbers]
        if unused:
            no_size = self.buffer.add(np.zeros((frames, 3), np.float32))
            outputs += [(node, "scale", no_size, "STEP") for node in unused]
        return outputs

    def _add_to_scene(self, node: Any) -> int:
        """Add a node that does not move with the creature, with y up; return its number."""
        node.rotation = _xyzw(Y_UP)
        self.nodes.append(node)
        self.scene.append(len(self.nodes) - 1)
        return self.scene[-1]

    def add_clip(
        self,
        clip: Clip,
        name: str,
        motion: RootMotion | None = None,
        weights: Mapping[int, NDArray[np.float32]] = {},
        others: Sequence[Output] = (),
    ) -> None:
        """Add the motion of all links as an animation.

        motion: of the root node. weights: of morph targets (F, K), by node. others: motion of other nodes.
        """
        time = self.buffer.add(clip.time, bounds=True)
        positions, rotations = clip.local
        moved = [(k, positions[:, k], rotations[:, k]) for k in range(len(clip.links))]
        if motion is not None:
            up = np.broadcast_to(Y_UP, motion.quaternion.shape)
            moved.append((len(clip.links), rotated(up, motion.position), product(up, motion.quaternion)))
        outputs: list[Output] = []
        for node, position, rotation in moved:
            outputs.append((node, "translation", self.buffer.add(position), "LINEAR"))
            outputs.append((node, "rotation", self.buffer.add(rotation, order=(1, 2, 3, 0)), "LINEAR"))
        outputs += [
            (node, "weights", self.buffer.add(w.reshape(-1)), "LINEAR") for node, w in weights.items() if w.size
        ]
        channels, samplers = list[Any](), list[Any]()
        for node, path, output, interpolation in (*outputs, *others):
            target = self.lib.AnimationChannelTarget(node=node, path=path)
            channels.append(self.lib.AnimationChannel(sampler=len(samplers), target=target))
            samplers.append(self.lib.AnimationSampler(input=time, output=output, interpolation=interpolation))
        self.animations.append(self.lib.Animation(name=name, channels=channels, samplers=samplers))

    def description(self) -> Any:
        """Return the description of the file, without its arrays."""
        lib = self.lib
        return lib.GLTF2(
            asset=lib.Asset(version="2.0", generator="gambol"),
            scene=0,
            scenes=[lib.Scene(nodes=self.scene)],
            nodes=self.nodes,
            meshes=self.meshes,
            skins=self.skins,
            materials=self.materials.rows,
            images=self.materials.images,
            textures=self.materials.textures,
            samplers=self.materials.samplers,
            animations=self.animations,
            accessors=self.buffer.accessors,
            bufferViews=self.buffer.views,
            buffers=[lib.Buffer(byteLength=self.buffer.size)],
        )

    def _primitive(self, mesh: IndexedMesh, material: int) -> Any:
        small = len(mesh.points) < 2**16 - 1
        indices = mesh.indices.astype(np.uint16) if small else mesh.indices
        attributes = self.lib.Attributes(
            POSITION=self.buffer.add(mesh.points, target=ARRAY, bounds=True),
            NORMAL=self.buffer.add(mesh.normals, target=ARRAY),
        )
        if mesh.uv is not None:
            from_above = mesh.uv * (1.0, -1.0) + (0.0, 1.0)
            attributes.TEXCOORD_0 = self.buffer.add(from_above.astype(np.float32), target=ARRAY)
        return self.lib.Primitive(
            attributes=attributes, indices=self.buffer.add(indices, target=ELEMENTS), material=material
        )

    def _add_mesh(self, name: str, primitive: Any) -> int:
        self.meshes.append(self.lib.Mesh(name=name, primitives=[primitive]))
        return len(self.meshes) - 1


def _matter_of(clips: Sequence[Clip]) -> list[tuple[MovingSurface, Morphs]]:
    """Return the surfaces, and their motion in the frames of all takes, one take after another.

    Raises GambolError for takes with different surfaces, and for too many points and frames.
    """
    takes = [list(moving_surfaces(clip.matter)) for clip in clips]
    for clip, surfaces in zip(clips, takes, strict=True):
        if [_topology(each) for each in surfaces] != [_topology(each) for each in takes[0]]:
            raise GambolError(
                f'film "{clip.name}" has other cloth, ropes or muscles than "{clips[0].name}"; write a file for each'
            )
    rows: list[tuple[MovingSurface, Morphs]] = []
    for same in zip(*takes, strict=True):
        check_size(same[0].name, sum(len(each.points) for each in same), same[0].points.shape[1])
        points, normals = (np.concatenate(each) for each in zip(*((s.points, s.normals()) for s in same), strict=True))
        rows.append((same[0], morphs_of(points, normals)))
    return rows


def _topology(surface: MovingSurface) -> tuple[str, int, bytes]:
    return surface.name, surface.points.shape[1], surface.triangles.tobytes()


def _xyzw(q: Any) -> list[float]:
    unit = np.asarray(q, float) / np.linalg.norm(q)
    return [*unit[1:].tolist(), float(unit[0])]


def _clip_names(clips: Sequence[Clip]) -> list[str]:
    """Return the names of takes: the film's name, with a number if several have the same."""
    names = [clip.name or "take" for clip in clips]
    return [name if names.count(name) == 1 else f"{name} {k + 1}" for k, name in enumerate(names)]
