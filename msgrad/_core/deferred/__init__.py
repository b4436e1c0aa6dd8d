"""Operator calls of a gradient call, recorded to run as one compiled program.

    recording.py  ``Recorder``, ``Pending``: what is recorded, and ``materialize``, which runs it

What becomes of a whole recording is in ``_gradients/recorded_program.py``, of one that is cut in
``_gradients/pieces.py``.
"""
