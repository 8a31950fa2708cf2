"""The target "wasm": programs become WebAssembly, which runs in a browser, with the same bits as on the processor."""

from gambol.lanes.wasm.module import WasmModule, wasm_module
from gambol.lanes.wasm.stored import stored_module

__all__ = ["WasmModule", "stored_module", "wasm_module"]
