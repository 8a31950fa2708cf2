"""Published numbers and digits of closed forms that problems are compared with, as data."""

import json
from importlib.resources import files
from typing import Any


def given(key: str) -> Any:
    """The entry of a problem in references.json."""
    return json.loads(files("validation").joinpath("references.json").read_text())[key]
