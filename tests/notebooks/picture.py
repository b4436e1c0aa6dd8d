"""Writes the picture of the README from the notebook that draws it; it executes nothing.

    python -m tests.notebooks.picture

The figure is that of the one cell with the tag ``picture`` in the committed notebooks.
"""

from __future__ import annotations

import base64

from tests.notebooks.record import NAMES, NOTEBOOKS, read

TAG = "picture"
PICTURE = NOTEBOOKS / "training.png"


def figure() -> bytes:
    """Give the PNG of the figure with the tag."""
    (found,) = (
        output.data["image/png"]
        for name in NAMES
        for cell in read(name).cells
        if TAG in cell.metadata.get("tags", ())
        for output in cell.outputs
        if "image/png" in output.get("data", ())
    )
    return base64.b64decode(found)


def main() -> None:
    """Write the picture."""
    PICTURE.write_bytes(figure())


if __name__ == "__main__":
    main()
