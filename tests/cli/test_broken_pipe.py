"""Commands whose output pipe is closed early."""

import os
import subprocess
import sys
from pathlib import Path

from gambol.cli.broken_pipe import BrokenPipeStream

EXAMPLE = Path(__file__).parents[2] / "examples" / "figures" / "trapeze.toml"


def test_a_command_with_a_broken_pipe_writes_its_files(tmp_path: Path):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "gambol", "convert", str(EXAMPLE), str(tmp_path / "trapeze.xml")]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert done.returncode == 0
    assert "Error" not in done.stderr
    assert (tmp_path / "trapeze.xml").is_file()


def test_what_is_written_after_the_reader_has_gone_is_lost_and_nothing_else():
    reader, writer = os.pipe()
    with os.fdopen(writer, "w") as stream:
        pipe_stream = BrokenPipeStream(stream)
        assert pipe_stream.write("seen\n") == 5
        pipe_stream.flush()
        assert os.read(reader, 10) == b"seen\n"
        os.close(reader)
        for _ in range(3):
            assert pipe_stream.write("lost\n" * 10_000) == 50_000
            pipe_stream.flush()
        assert pipe_stream.encoding == stream.encoding
