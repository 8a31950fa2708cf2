"""Reference data of problems: published numbers and digits of closed forms."""

import json
from importlib.resources import files
from typing import Any


def reference_data(key: str) -> Any:
    """Return the entry of a problem in references.json."""
    return json.loads(files("validation").joinpath("references.json").read_text())[key]
