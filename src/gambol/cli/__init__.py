"""The command line: parses options, calls the library, prints results."""

from gambol.cli.interrupts import handle_signals


def main() -> None:
    """Run the command `gambol`."""
    handle_signals()  # before the slow imports

    from gambol.cli.app import app
    from gambol.cli.broken_pipe import tolerate_broken_pipes
    from gambol.cli.console import print_warnings

    tolerate_broken_pipes()
    print_warnings()
    app(prog_name="gambol")
