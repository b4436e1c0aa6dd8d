"""Whole models trained from checkpoints that MindSpore wrote, beside the losses it recorded."""
