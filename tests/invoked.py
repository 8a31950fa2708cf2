"""The command, called in this process, and a run of evolution that takes seconds."""

from typing import Any

from typer.testing import CliRunner, Result

from gambol.cli import app as command

TINY = ["--population", "8", "--generations", "3", "--seconds", "1.5", "--executor", "here"]


def invoke(*words: Any) -> Result:
    return CliRunner().invoke(command.app, [str(word) for word in words])
