"""``python -m msgrad``: hands over to the command line in ``msgrad.porting.cli``."""

from msgrad.porting.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
