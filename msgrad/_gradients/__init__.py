"""What stands behind the gradient functions: one differentiated call; not public.

gradients_of.py         ``gradients_of``: targets in a row, cotangents checked; start here
differentiated_call.py  ``DifferentiatedCall``: a mutable program under ``jax.vjp``, ``jax.jvp``
recorded_program.py     ``TransformedProgram``: a recording under a transform, compiled;
                        ``programs``: all of them by structure
pieces.py               ``PieceRecorder``: a recording that is cut where values are needed
piece_program.py        ``PieceProgram``: what runs at a cut
tape.py                 ``Tape``: what has run, to be pulled back
gate.py                 ``vjp_on_demand``, ``Gate``: values that become traced when needed
mapped_call.py          ``MappedCall``: the same program for one example of many, ``vmap``
transforms.py           the transforms: pulled, mapped, pushed, columns and rows of Jacobians
on_demand.py            ``jvp_on_demand``, ``Examples``: the gates of ``jax.jvp`` and ``jax.vmap``
forward_pass.py         ``ForwardRecorder``: a Cell without a gradient, recorded in pieces
used_parameters.py      gradients of the Parameters that a program turns out to use
forward_cache.py        ``CachedForward``: a Cell's pass, kept for the gradient call after it
saved_tensors.py        ``saved_tensors_hooks``: residuals that go through hooks
identity.py             identities with a backward pass in Python: hooks, inserted gradients
structure.py            how results are arranged: positions, weights, ids
"""
