"""`python -m gambol` is `gambol`."""

from gambol.cli import main

main()
