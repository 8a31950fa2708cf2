"""NVIDIA's driver by the package cuda-bindings: its functions as calls that return values or raise GambolError."""

import functools
from importlib import import_module
from typing import Any

from gambol.errors import GambolError

MIN_VERSION = 12_000
"""The oldest driver, as 1000 times its version of CUDA: the first for sm_90 and PTX 8.0."""

NO_BINDINGS = "the target gpu needs cuda-bindings; pip install 'gambol[cuda]'"
NO_DRIVER = "there is no driver for a graphics processor of NVIDIA on this machine ({})"
NO_LIBRARY = "its library libcuda was not found"

OUT_OF_MEMORY = 2
"""The code of the error of too little memory, see CUresult."""

FATAL = {46, 214, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 999}
"""Codes of errors after which a process cannot use the processor any more, see CUresult: it was lost, a kernel crashed
or took too long, its memory is damaged, and the like."""


class DeviceError(GambolError):
    """A call of the driver failed. code: its number, see CUresult of CUDA."""

    def __init__(self, text: str, code: int) -> None:
        super().__init__(text)
        self.code = code

    def __reduce__(self) -> tuple[type["DeviceError"], tuple[str, int]]:
        """Return class and arguments for pickle: workers in other processes send the error back."""
        return DeviceError, (str(self), self.code)


class Driver:
    """The functions of the driver. api: module with them, each of which returns a tuple of an error and values."""

    def __init__(self, api: Any) -> None:
        self.api = api

    def call(self, name: str, *args: Any) -> Any:
        """Return the value of a function, None without one. Raises DeviceError."""
        error, *values = getattr(self.api, name)(*args)
        if int(error):
            _, text = self.api.cuGetErrorName(error)
            shown = text.decode() if isinstance(text, bytes) else f"error {int(error)}"
            advice = "; this process has lost it, so begin a new one" if int(error) in FATAL else ""
            raise DeviceError(f"the graphics processor failed in {name}: {shown}{advice}", int(error))
        return values[0] if len(values) == 1 else tuple(values) or None


@functools.cache
def driver() -> Driver:
    """Return the driver, initialised. Raises GambolError without cuda-bindings, and for no driver or an old one."""
    try:
        api = import_module("cuda.bindings.driver")
    except ImportError as error:
        raise GambolError(NO_BINDINGS) from error
    found = Driver(api)
    try:
        version = found.call("cuDriverGetVersion")
        found.call("cuInit", 0)
    except DeviceError as error:
        raise GambolError(NO_DRIVER.format(error)) from error
    except RuntimeError as error:  # of cuda-bindings, without the library
        raise GambolError(NO_DRIVER.format(NO_LIBRARY)) from error
    if version < MIN_VERSION:
        raise GambolError(
            f"the driver knows CUDA {version // 1000}.{version % 1000 // 10}; the target gpu needs one of CUDA 12.0 or "
            "newer (version 525 or newer)"
        )
    return found
