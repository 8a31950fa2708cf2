"""Run by Blender's Python: the greatest distance of joints of a file from given ones, see test_blender.py."""

import sys

import bpy
import numpy as np

path, reference, *every = sys.argv[1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
if path.endswith(".glb"):
    bpy.ops.import_scene.gltf(filepath=path)
elif path.endswith(".bvh"):
    bpy.ops.import_anim.bvh(filepath=path)
else:
    bpy.ops.wm.usd_import(filepath=path)
with np.load(reference) as data:
    names, places, rate = [str(name) for name in data["names"]], data["places"], float(data["rate"])
scene = bpy.context.scene
frames_per_second = scene.render.fps / scene.render.fps_base
worst, seen = 0.0, 0
for frame in range(0, len(places), int(every[0]) if every else 9):
    time = {"glb": frame / rate * frames_per_second, "bvh": frame + 1.0}.get(path[-3:], float(frame))
    scene.frame_set(int(time), subframe=time % 1.0)
    graph = bpy.context.evaluated_depsgraph_get()
    for name, place in zip(names, places[frame], strict=True):
        known = (name, name.replace(" ", "_"))
        found = next((bpy.data.objects[n] for n in known if n in bpy.data.objects), None)
        if found is not None:
            matrix = found.evaluated_get(graph).matrix_world
        else:
            rig = next(x for x in bpy.data.objects if x.type == "ARMATURE").evaluated_get(graph)
            matrix = rig.matrix_world @ next(rig.pose.bones[n] for n in known if n in rig.pose.bones).matrix
        worst, seen = max(worst, float(np.abs(np.array(matrix.translation) - place).max())), seen + 1
sys.stdout.write(f"JOINTS {seen} {worst!r}\n")
