"""Small files that request large resources: each must be read or refused within the limits of one case."""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
from fuzzing.readers import READERS, Reader, films

BODY = '<body><freejoint/><geom size="0.1"/></body>'
LINK = (
    '<link name="l{0}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="{1}" ixy="0" ixz="0" iyz="0"/>'
    "</inertial></link>"
)
JOINT = (
    '<joint name="j{0}" type="{1}"><parent link="l{2}"/><child link="l{0}"/><axis xyz="0 0 1"/>'
    '<limit effort="1" lower="-1" upper="1" velocity="1"/></joint>'
)
TOML = 'format = "gambol figure 1"\nname = "n"\n'


def mjcf(inside: str) -> bytes:
    return f"<mujoco>{inside}</mujoco>".encode()


def world(inside: str) -> bytes:
    return mjcf(f"<worldbody>{inside}</worldbody>")


def robot(count: int, kind: str = "revolute", izz: int = 1, mesh: str = "", chain: bool = True) -> bytes:
    links = (LINK.format(k, izz).replace("</link>", f"{mesh}</link>") for k in range(count))
    joints = (JOINT.format(k, kind, k - 1 if chain else 0) for k in range(1, count))
    return f'<robot name="r">{"".join(links)}{"".join(joints)}</robot>'.encode()


def figure(count: int, more: str = "") -> bytes:
    rows = (
        f'[[links]]\nname = "l{k}"\njoint = {{ kind = "revolute" }}\nmass = {{ mass = 1, inertia = [1, 1, 1] }}\n'
        + (f'parent = "l{k - 1}"\n' if k else "")
        for k in range(count)
    )
    return f"{TOML}{''.join(rows)}{more}".encode()


def png(side: int) -> bytes:
    """Return an empty picture of any size."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = zlib.compressobj(9)
    compressed = b"".join(rows.compress(bytes(1 + side * 3)) for _ in range(min(side, 2000))) + rows.flush()
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", compressed) + chunk(b"IEND", b"")


def sphere(corners: int) -> bytes:
    """Return a binary STL file whose vertices all lie on a sphere."""
    points = np.random.default_rng(0).normal(size=(corners // 3 * 3, 3))
    facets = np.zeros(len(points) // 3, [("normal", "<f4", 3), ("at", "<f4", (3, 3)), ("tag", "<u2")])
    facets["at"] = (points / np.linalg.norm(points, axis=1, keepdims=True)).reshape(-1, 3, 3)
    return bytes(80) + len(facets).to_bytes(4, "little") + facets.tobytes()


def compressed_film(megabytes: int, name: str = "time.npy") -> bytes:
    """Return a film with one array of compressed zeros, a thousandth of their size."""
    with zipfile.ZipFile(io.BytesIO(films()[0])) as film_archive:
        members = {member: film_archive.read(member) for member in film_archive.namelist()}
    file, head = io.BytesIO(), io.BytesIO()
    np.lib.format.write_array_header_1_0(
        head, {"descr": "<f8", "fortran_order": False, "shape": (megabytes * 125_000,)}
    )
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in members.items():
            with archive.open(member, "w") as member_file:
                member_file.write(data if member != name else head.getvalue())
                for _ in range(megabytes if member == name else 0):
                    member_file.write(bytes(1_000_000))
    return file.getvalue()


def nested_files(folder: Path, text: str, leaf: str, levels: int) -> bytes:
    """Return a file that names another one twice, which names another one twice, and so on."""
    for level in range(1, levels):
        (folder / f"level{level}.xml").write_text(text.format(level + 1))
    (folder / f"level{levels}.xml").write_text(leaf)
    return text.format(1).encode()


INCLUDE = '<mujoco><include file="level{0}.xml"/><include file="level{0}.xml"/></mujoco>'
ATTACH = (
    '<mujoco><asset><model name="n" file="level{0}.xml"/><model name="m" file="level{0}.xml"/></asset><worldbody><body '
    'name="b"><geom size="1"/><attach model="n" body="b" prefix="x"/><attach model="m" body="b" prefix="y"/></body>'
    "</worldbody></mujoco>"
)
SELF = (
    '<mujoco><asset><model name="m" file="{0}"/></asset><worldbody><body name="b"><freejoint/><geom size="1"/>'
    '<attach model="m" body="b" prefix="x"/></body></worldbody></mujoco>'
)
MUSCLE = (
    '<compiler><lengthrange mode="all" timestep="1e-5" inttotal="1e7"/></compiler><worldbody><body><joint name="j"/>'
    '<geom size="1"/></body></worldbody><actuator><muscle joint="j"/></actuator>'
)


def files_named(path: str, ending: str) -> dict[str, Callable[[Path], bytes]]:
    """Return MJCF files that name a file by each element that can."""
    texts = {
        "include": f'<include file="{path}"/>',
        "mesh": f'<asset><mesh name="m" file="{path}"/></asset>',
        "texture": f'<asset><texture name="m" type="2d" file="{path}"/></asset>',
        "hfield": f'<asset><hfield name="m" size="1 1 1 1" file="{path}"/></asset>',
        "skin": f'<asset><skin name="m" file="{path}"/></asset>',
        "model": f'<asset><model name="m" file="{path}"/></asset>',
        "cube": f'<asset><texture name="m" type="cube" fileup="{path}"/></asset>',
        "flexcomp": f'<worldbody><flexcomp name="m" type="mesh" file="{path}"/></worldbody>',
    }
    return {f"mjcf {element} of {ending}": lambda _, text=text: mjcf(text) for element, text in texts.items()}


BOMBS: dict[str, Callable[[Path], bytes]] = {
    "mjcf attaches itself": lambda _: SELF.format("bomb.xml").encode(),
    "mjcf attaches itself by another way": lambda _: SELF.format("folder/../bomb.xml").encode(),
    "mjcf includes itself": lambda _: mjcf('<include file="bomb.xml"/>'),
    "mjcf includes double": lambda folder: nested_files(folder, INCLUDE, "<mujoco/>", 25),
    "mjcf attaches double": lambda folder: nested_files(
        folder, ATTACH, '<mujoco><worldbody><body name="b"/></worldbody></mujoco>', 15
    ),
    "mjcf replicates": lambda _: world(f'<replicate count="20000" offset="1 0 0">{BODY}</replicate>'),
    "mjcf replicates in itself": lambda _: world(
        '<replicate count="10">' * 9 + '<geom size="1"/>' + "</replicate>" * 9
    ),
    "mjcf replicates 1900 bodies": lambda _: world(f'<replicate count="1900" offset="1 0 0">{BODY}</replicate>'),
    "mjcf 20000 bodies": lambda _: world(BODY * 20_000),
    "mjcf frames": lambda _: world("<frame>" * 470 + BODY + "</frame>" * 470),
    "mjcf deep": lambda _: world("<body>" * 100_000),
    "mjcf flexcomp": lambda _: world('<flexcomp name="f" type="grid" count="1000 1000 100" spacing="1 1 1" dim="3"/>'),
    "mjcf composite": lambda _: world(
        '<composite prefix="c" type="cable" count="2000000 1 1"><geom size="1"/></composite>'
    ),
    "mjcf keys": lambda _: mjcf(f'<size nkey="2000000000"/><worldbody>{BODY}</worldbody>'),
    **{
        f"mjcf {name}": lambda _, name=name: mjcf(f'<size {name}="2000000000"/><worldbody>{BODY}</worldbody>')
        for name in ("nuser_body", "nuser_geom", "nuserdata", "njmax", "nconmax", "nstack", "memory")
    },
    "mjcf heights": lambda _: mjcf('<asset><hfield name="h" nrow="40000" ncol="40000" size="1 1 1 1"/></asset>'),
    "mjcf texture": lambda _: mjcf(
        '<asset><texture name="t" type="2d" builtin="flat" width="99999" height="99999"/></asset>'
    ),
    "mjcf supersphere": lambda _: mjcf('<asset><mesh name="m" builtin="supersphere" params="30000 1 1"/></asset>'),
    "mjcf sensor": lambda _: mjcf('<sensor><user name="u" dim="2000000000"/></sensor>'),
    "mjcf numeric": lambda _: mjcf('<custom><numeric name="u" size="2000000000"/></custom>'),
    "mjcf length range": lambda _: mjcf(MUSCLE),
    "mjcf picture": lambda folder: with_neighbour(
        folder, "big.png", png(60_000), mjcf('<asset><texture name="t" type="2d" file="big.png"/></asset>')
    ),
    "mjcf sphere": lambda folder: with_neighbour(folder, "big.stl", sphere(60_000), world_of_mesh("big.stl")),
    **files_named("/dev/zero", "a device"),
    **files_named("pipe", "a pipe"),
    **files_named("folder", "a folder"),
    **files_named("link", "a link in a circle"),
    "urdf newlines": lambda _: b'<robot name="r">' + b"\n" * 20_000_000 + b"</robot>",
    "urdf 100000 links": lambda _: robot(100_000),
    "urdf 1900 links": lambda _: robot(1_900),
    "urdf 1900 links of one": lambda _: robot(1_900, chain=False),
    "urdf 1900 fixed links": lambda _: robot(1_900, "fixed"),
    "urdf 1900 impossible links": lambda _: robot(1_900, "fixed", izz=9),
    "urdf entities": lambda _: b'<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><robot name="&b;"/>',
    "urdf deep": lambda _: b'<robot name="r">' + b"<link>" * 100_000,
    "urdf long name": lambda _: b'<robot name="r"><' + b"z" * 5_000_000 + b"/></robot>",
    "urdf many attributes": lambda _: b'<robot name="r" ' + b" ".join(b'a%d="1"' % k for k in range(200_000)) + b"/>",
    "urdf many shapes": lambda _: robot(1, mesh='<visual><geometry><box size="1 1 1"/></geometry></visual>' * 20_000),
    "urdf pipes": lambda _: robot(2, mesh='<visual><geometry><mesh filename="pipe"/></geometry></visual>'),
    "urdf device": lambda _: robot(2, mesh='<visual><geometry><mesh filename="/dev/zero"/></geometry></visual>'),
    "urdf one mesh": lambda folder: with_neighbour(
        folder,
        "big.stl",
        sphere(30_000),
        robot(500, mesh='<visual><geometry><mesh filename="big.stl"/></geometry></visual>'),
    ),
    "figure dotted key": lambda _: f"{TOML}{'.'.join(['a'] * 20_000)} = 1".encode(),
    "figure dotted header": lambda _: f"{TOML}[{'.'.join(['a'] * 20_000)}]".encode(),
    "figure many dots": lambda _: f"{TOML}{'a.' * 2_000_000} = 1".encode(),
    "figure quoted keys": lambda _: (TOML + '"a".' * 500_000 + "b = 1").encode(),
    "figure quotes": lambda _: (TOML + "a = " + '"' * 1_000_000).encode(),
    "figure 20000 links": lambda _: figure(20_000),
    "figure 1900 links": lambda _: figure(1_900),
    "figure 1900 motors": lambda _: figure(
        1_900, "".join(f'[[motors]]\nname = "m{k}"\njoint = "l{k}"\n' for k in range(1_900))
    ),
    "figure deep": lambda _: f"{TOML}a = {'[' * 200_000}".encode(),
    "figure deep tables": lambda _: f"{TOML}a = {'{a=' * 200_000}".encode(),
    "figure long number": lambda _: f"{TOML}a = {'9' * 5_000_000}".encode(),
    "figure long word": lambda _: f"{TOML}{'a' * 5_000_000} = 1".encode(),
    "figure wrong name": lambda _: figure(1_900, '[[motors]]\nname = "m"\njoint = "' + "l" * 1_000_000 + '"\n'),
    "figure 100 MB": lambda _: b"#" * 100_000_000,
    "stl sphere": lambda _: sphere(60_000),
    "stl large sphere": lambda _: sphere(600_000),
    "stl 150 MB": lambda _: bytes(150_000_000),
    "obj long": lambda _: b"v 0 0 0\n" * 2_000_000,
    "obj blanks": lambda _: b"v " + b" " * 5_000_000,
    "obj vertices": lambda _: b"v\n" * 3_000_000,
    "npy declares much": lambda _: npy_header("(2000000000, 2000000000)"),
    "npy declares nothing": lambda _: npy_header("(0, 99999999999999999999)"),
    "npy brackets": lambda _: npy_header("(" * 9000),
    "csv wide": lambda _: b"1," * 4_000_000 + b"1",
    "csv long": lambda _: b"1,2\n" * 2_000_000,
    "csv 100 MB": lambda _: b"1" * 100_000_000,
    "film packed": lambda _: compressed_film(700),
    "film packed shapes": lambda _: compressed_film(100, "about.npy"),
    "script reads double": lambda folder: reading(folder, 7),
    "script reads much": lambda folder: with_neighbour(
        folder, "more.corpus", b"! hello\n" * 300_000, b"read more.corpus\n" * 100
    ),
    "script reads a pipe": lambda _: b"read pipe\n",
    "script reads a device": lambda folder: device(folder),
    "script broken lines": lambda _: b"time 1\n" + b"*.5\n" * 100_000,
    "script long line": lambda _: b"! " + b"x" * 3_900_000,
    "genotype limbs": lambda _: b'format = "gambol genotype 1"\n' + LIMB * 20_000,
    "genotype dotted key": lambda _: f'format = "gambol genotype 1"\n{".".join(["a"] * 20_000)} = 1'.encode(),
}
"""The bombs, by reader and name."""

LIMB = b"[[limbs]]\nat = [0.4, 0.9, 0.0]\n[[limbs.segments]]\nlength = 0.2\n"


def with_neighbour(folder: Path, name: str, data: bytes, main: bytes) -> bytes:
    """Write a file in the folder of the main one; return the main one."""
    (folder / name).write_bytes(data)
    return main


def world_of_mesh(name: str) -> bytes:
    return mjcf(
        f'<asset><mesh name="m" file="{name}"/></asset><worldbody><body><geom type="mesh" mesh="m"/></body></worldbody>'
    )


def npy_header(shape: str) -> bytes:
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode()
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header


def reading(folder: Path, levels: int) -> bytes:
    """Return a script that reads another one a hundred times, and so on."""
    for level in range(1, levels):
        (folder / f"level{level}.corpus").write_bytes(b"read level%d.corpus\n" % (level + 1) * 100)
    (folder / f"level{levels}.corpus").write_bytes(b"! hello\n")
    return b"read level1.corpus\n" * 100


def device(folder: Path) -> bytes:
    (folder / "zero.corpus").symlink_to("/dev/zero")
    return b"read zero.corpus\n"


def create(name: str, folder: Path) -> tuple[Reader, Path]:
    """Return the reader of a bomb, and its file."""
    reader = next(reader for reader in READERS if reader.name == name.partition(" ")[0])
    path = folder / f"bomb{reader.ending}"
    path.write_bytes(BOMBS[name](folder))
    return reader, path
