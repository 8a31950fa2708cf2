"""The target "wasm": programs become WebAssembly, which runs in a browser, with the same bits as on the processor."""

from gambol.lanes.wasm.module import WasmModule, wasm_module

__all__ = ["WasmModule", "wasm_module"]
