"""``mindspore.ops``."""
