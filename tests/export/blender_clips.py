"""Run by Blender's Python: the names of the animation tracks of a glTF file, see test_animators_day.py."""

import sys

import bpy

bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=sys.argv[1])
names = {track.name for x in bpy.data.objects if x.animation_data for track in x.animation_data.nla_tracks}
for name in sorted(names | {action.name for action in bpy.data.actions}):
    sys.stdout.write(f"CLIP {name}\n")
