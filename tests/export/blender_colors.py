"""Run by Blender's Python: the colours (linear RGB) of the materials of meshes by object, see test_blender.py."""

import json
import sys

import bpy

path, target = sys.argv[1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
if path.endswith(".glb"):
    bpy.ops.import_scene.gltf(filepath=path)
else:
    bpy.ops.wm.usd_import(filepath=path)
found: dict[str, list[float]] = {}
for each in bpy.data.objects:
    if each.type == "MESH":
        nodes = each.material_slots[0].material.node_tree.nodes
        surface = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
        found[each.parent.name] = list(surface.inputs["Base Color"].default_value)[:3]
with open(target, "w", encoding="utf-8") as file:
    json.dump(found, file)
