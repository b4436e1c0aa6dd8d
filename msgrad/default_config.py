"""What MindSpore was built as; programs that its converter from PyTorch wrote import this."""

__backend__ = "ms"
__package_name__ = "mindspore"
