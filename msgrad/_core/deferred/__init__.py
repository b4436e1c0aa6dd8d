"""Operator calls of a gradient call, recorded to run as one compiled program."""
