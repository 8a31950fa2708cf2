"""Films as files of other programs: glTF, USD, BVH, CSV. One table has a row for each suffix of a file."""

from gambol.export.bvh import write_bvh
from gambol.export.csv_table import columns_of, write_csv
from gambol.export.cycle import WalkCycle, walk_cycle
from gambol.export.gltf import write_gltf
from gambol.export.table import EXPORTERS, Exporter, add_exporter, check_target, export_film
from gambol.export.usd import write_usd

__all__ = [
    "EXPORTERS",
    "Exporter",
    "WalkCycle",
    "add_exporter",
    "check_target",
    "columns_of",
    "export_film",
    "walk_cycle",
    "write_bvh",
    "write_csv",
    "write_gltf",
    "write_usd",
]
