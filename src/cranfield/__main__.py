"""`python -m cranfield`."""

from cranfield.cli.main import main

main()
