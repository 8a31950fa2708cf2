"""Run by Blender's Python: a .glb file as FBX and Alembic, and how far they differ when they are read again."""

import sys

import bpy
import numpy as np

source, folder = sys.argv[1:]
READERS = {".fbx": bpy.ops.import_scene.fbx, ".abc": bpy.ops.wm.alembic_import}
FIRST = {".fbx": 1, ".abc": 0}  # the frame at which the importer puts frame 0


def box(frame: int) -> np.ndarray:
    """Return the lowest and highest corner (2, 3) of all meshes of the scene."""
    bpy.context.scene.frame_set(frame)
    graph, points = bpy.context.evaluated_depsgraph_get(), []
    for each in (x.evaluated_get(graph) for x in bpy.data.objects if x.type == "MESH"):
        matrix = np.array(each.matrix_world)
        corners = np.array([vertex.co for vertex in each.to_mesh().vertices])
        points.append(corners @ matrix[:3, :3].T + matrix[:3, 3])
    return np.array([np.concatenate(points).min(axis=0), np.concatenate(points).max(axis=0)])


bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=source)
scene = bpy.context.scene
scene.frame_start, scene.frame_end = 0, int(max(action.frame_range[1] for action in bpy.data.actions))
frames = (0, scene.frame_end // 2, scene.frame_end)
expected = [box(frame) for frame in frames]
bpy.ops.export_scene.fbx(filepath=f"{folder}/a.fbx", bake_anim_simplify_factor=0.0)
bpy.ops.wm.alembic_export(filepath=f"{folder}/a.abc")
for ending, read in READERS.items():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    read(filepath=f"{folder}/a{ending}")
    worst = max(np.abs(box(f + FIRST[ending]) - own).max() for f, own in zip(frames, expected, strict=True))
    sys.stdout.write(f"DIFFERENCE {ending} {float(worst)!r}\n")
