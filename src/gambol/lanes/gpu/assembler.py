"""PTX to machine code by NVIDIA's assembler `ptxas`, and what it tells of registers and memory."""

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from gambol.errors import GambolError

PACKAGES = ("nvidia-cuda-nvcc-cu12", "nvidia-cuda-nvcc")
"""Wheels that bring ptxas."""

MISSING = "there is no ptxas, NVIDIA's assembler, which the target gpu needs; pip install 'gambol[cuda]'"

FUNCTION = re.compile(r"Function properties for (\S+)\n\s*(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) ")
USED = re.compile(r"Used (\d+) registers")


@dataclass(frozen=True, slots=True)
class FunctionResources:
    """What a function of a kernel needs: stack memory [bytes], and bytes of registers stored to and loaded from it.

    name: its name in the PTX. stored, loaded: registers that did not fit, counted once for each instruction in the
    text, which a loop runs many times.
    """

    name: str
    stack: int
    stored: int
    loaded: int


def find_ptxas() -> Path:
    """Return the path of ptxas: of the first installed package of PACKAGES, else of PATH. Raises GambolError."""
    for package in PACKAGES:
        try:
            found = [Path(str(file.locate())) for file in files(package) or () if file.name in ("ptxas", "ptxas.exe")]
        except PackageNotFoundError:
            continue
        if found:
            return found[0]
    if on_path := shutil.which("ptxas"):
        return Path(on_path)
    raise GambolError(MISSING)


def assembled(
    ptx: str, architecture: str, max_registers: int | None = None
) -> tuple[bytes, int, tuple[FunctionResources, ...]]:
    """Return the machine code of a PTX text (a cubin), its registers per thread, and the resources of its functions.

    architecture: such as "sm_90". max_registers: a smaller limit than that of the processor, so that more threads share
    a multiprocessor. Raises GambolError without ptxas, and if it fails.
    """
    ptxas = find_ptxas()
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "kernel.ptx", Path(folder) / "kernel.cubin"
        source.write_text(ptx, encoding="utf-8")
        limit = [] if max_registers is None else [f"-maxrregcount={max_registers}"]
        command = [str(ptxas), "-v", f"-arch={architecture}", *limit, str(source), "-o", str(target)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode or not target.exists():
            first = next((line for line in done.stderr.splitlines() if line.strip()), "no message")
            raise GambolError(f"ptxas ended with code {done.returncode} for {architecture}: {first.strip()}")
        code = target.read_bytes()
    resources = tuple(
        FunctionResources(name, int(stack), int(stored), int(loaded))
        for name, stack, stored, loaded in FUNCTION.findall(done.stderr)
    )
    return code, max(map(int, USED.findall(done.stderr)), default=0), resources
