"""The options --hold and --gains of `gambol run`: a figure holds a pose."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gambol.cli.figures.sources import ReadOptions, read_model
from gambol.creatures.holding import HeldModel, Hold, held_model
from gambol.errors import GambolError
from gambol.formats.file_format import FORMATS, file_format


def read_held(path: Path, reading: ReadOptions, gains: Sequence[str], *, grounded: bool) -> HeldModel:
    """Return the model of a file, as a figure that holds a pose.

    The base is free unless the file or an option says otherwise. gains: texts of --gains. grounded: False for a figure
    without a ground. Raises GambolError for other texts, and as held_model() does.
    """
    hold = read_gains(gains)
    suffix = file_format(path)
    is_freed = suffix in FORMATS and "base" in FORMATS[suffix].options and reading.base is None
    held = held_model(read_model(path, replace(reading, base="free") if is_freed else reading), hold)
    notes = ("Its base is free, since it holds a pose; --base fixed fixes it to the world.",) if is_freed else ()
    model = held.model if grounded else replace(held.model, ground=False)
    return replace(held, model=model, notes=(*notes, *held.notes))


def read_gains(texts: Sequence[str]) -> Hold:
    """Return the gains to hold with: True if no texts are given.

    texts: each K,D for all motors, or NAME=K,D for one of them. Raises GambolError for other texts.
    """
    gains: dict[str, tuple[float, ...]] = {}
    for text in texts:
        name, _, numbers = text.rpartition("=")
        try:
            pair = tuple(float(number) for number in numbers.split(","))
        except ValueError:
            pair = ()
        if len(pair) != 2:
            raise GambolError(f'--gains: "{text}" is neither K,D nor NAME=K,D, such as --gains 80,4 or knee=80,4')
        if name in gains:
            raise GambolError(f"--gains: {name or 'the pair for all motors'} is given twice")
        gains[name] = pair
    if "" in gains and len(gains) > 1:
        raise GambolError("--gains: give one pair for all motors, or pairs by name")
    return gains.get("") or gains or True
