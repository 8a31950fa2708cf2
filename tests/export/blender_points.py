"""Run by Blender's Python: the points of objects of a .glb file in each frame, see test_blender.py."""

import sys

import bpy
import numpy as np

path, target, rate, frames, *names = sys.argv[1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=path)
scene = bpy.context.scene
frames_per_second = scene.render.fps / scene.render.fps_base
found: dict[str, list[np.ndarray]] = {name: [] for name in names}
for frame in range(int(frames)):
    time = frame / float(rate) * frames_per_second
    scene.frame_set(int(time), subframe=time % 1.0)
    graph = bpy.context.evaluated_depsgraph_get()
    for name in names:
        shown = bpy.data.objects[name].evaluated_get(graph)
        matrix = np.array(shown.matrix_world)
        points = np.array([vertex.co for vertex in shown.to_mesh().vertices])
        found[name].append(points @ matrix[:3, :3].T + matrix[:3, 3])
np.savez(target, **{name: np.array(rows) for name, rows in found.items()})
