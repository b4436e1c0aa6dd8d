"""``mindspore.version``: the API version that programs check, and msgrad's own; nothing else."""

from __future__ import annotations

__all__ = ["__msgrad_version__", "__version__"]

# What `mindspore.__version__` says: programs compare it with what they need.
__version__ = "2.10.0"

# The release of this package; the build reads it from here.
__msgrad_version__ = "0.1.0"
