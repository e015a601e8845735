"""Imports the glTF file and a point cache into Blender and compares vertices at several frames with the cache.

    blender --background --factory-startup --python-exit-code 1 --python read_with_blender.py -- RUN_FOLDER
"""
import os
import struct
import sys

import bpy
import numpy

numpy.bool = bool  # Debian's glTF importer uses a name that its numpy has dropped

folder = sys.argv[sys.argv.index("--") + 1]


def point_cache(name):
    with open(os.path.join(folder, "pc2", name + ".pc2"), "rb") as file:
        data = file.read()
    count, frames = struct.unpack_from("<i", data, 16)[0], struct.unpack_from("<i", data, 28)[0]
    numbers = struct.unpack_from(f"<{3 * count * frames}f", data, 32)
    return [[numbers[3 * (k * count + i):3 * (k * count + i) + 3] for i in range(count)] for k in range(frames)]


def evaluated(thing):
    mesh = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    return [tuple(vertex.co) for vertex in mesh.vertices]


def worst(have, want):
    assert len(have) == len(want), (len(have), len(want))
    return max(abs(a - b) for p, q in zip(have, want) for a, b in zip(p, q))


bpy.ops.wm.read_factory_settings(use_empty=True)
cache = point_cache("jelly_bar")
bpy.context.scene.render.fps = 100  # of the scene that is read: h = 0.01 s

bpy.ops.wm.obj_import(filepath=os.path.join(folder, "pc2", "jelly_bar.obj"))
bar = bpy.context.selected_objects[0]
modifier = bar.modifiers.new("cache", "MESH_CACHE")
modifier.cache_format = "PC2"
modifier.filepath = os.path.join(folder, "pc2", "jelly_bar.pc2")
modifier.frame_start = 0
modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"  # as the file has them: the importer turned the object
for frame in (0, 5, 12):
    bpy.context.scene.frame_set(frame)
    error = worst(evaluated(bar), cache[frame])
    assert error < 1e-6, f"pc2 frame {frame}: {error}"

bpy.ops.import_scene.gltf(filepath=os.path.join(folder, "animation.glb"))
jelly = [o for o in bpy.context.scene.objects if o.type == "MESH" and o.name.startswith("jelly_bar") and o != bar][0]
assert len(jelly.data.shape_keys.key_blocks) == len(cache)
for frame in (0, 5, 12):
    bpy.context.scene.frame_set(frame)
    # glTF has y up, Blender z: its importer turns (x, y, z) into (x, -z, y).
    want = [(x, -z, y) for x, y, z in cache[frame]]
    error = worst(evaluated(jelly), want)
    assert error < 1e-5, f"glTF frame {frame}: {error}"
print(f"blender {bpy.app.version_string}: pc2 and glTF agree with the cache at frames 0, 5 and 12")
