"""The command line: parses, calls, prints."""

from gambol.cli.interrupts import watch

PARAMETERS = "tuned"  # the set of the roach's numbers that is walked with: the one that walks well


def main() -> None:
    """Run the command `gambol`."""
    watch()  # before what takes time to import

    from gambol.cli.app import app
    from gambol.cli.console import tell_warnings
    from gambol.cli.outlet import outlive_readers

    outlive_readers()
    tell_warnings()
    app(prog_name="gambol")
