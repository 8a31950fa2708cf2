"""WebAssembly modules in the cache of compiled programs: a program that was traced before is not traced again."""

from typing import Any

from gambol.lanes import cache
from gambol.lanes.ops import Precision
from gambol.lanes.program_spec import ProgramSpec
from gambol.lanes.wasm.module import WasmModule, wasm_module

UNCHANGED_FIELDS = ("inputs", "tables", "memory_end", "functions")
"""Fields of a module that are stored unchanged; its outputs are stored as a flat list."""


def stored_module(spec: ProgramSpec, precision: Precision = "float64") -> WasmModule:
    """Return a program as a module that computes a single world, from the cache, or else written and stored.

    Programs without a key are not stored. Errors: see wasm_module().
    """
    if spec.key is None:
        return wasm_module(spec, precision, uniform=True)
    key = cache.key_of("wasm", spec.name, spec.key, spec.rows, spec.tables, cache.source_digest(), precision)
    if (found := cache.find(key)) is not None:
        return _module(*found, precision)
    module = wasm_module(spec, precision, uniform=True)
    fields = {name: getattr(module, name) for name in UNCHANGED_FIELDS}
    outputs = [number for array in module.outputs for number in array]
    cache.store(key, {"operations": module.operations, "outputs": outputs, **fields}, module.code)
    return module


def _module(metadata: dict[str, Any], code: bytes, precision: Precision) -> WasmModule:
    """Return a stored module."""
    flat = metadata["outputs"]
    return WasmModule(
        code,
        precision,
        tuple((address, rows) for address, rows in metadata["inputs"]),
        tuple(zip(flat[::2], flat[1::2], strict=True)),
        tuple(metadata["tables"]),
        metadata["memory_end"],
        (metadata["functions"][0], metadata["functions"][1]),
        metadata["operations"],
    )
