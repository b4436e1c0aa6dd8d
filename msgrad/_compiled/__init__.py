"""How a function becomes one compiled program, and how a call runs it; not public.

A call goes down this list; ``record`` and what follows it only where there is no program yet.

    jit.py            ``jit``: options, and the function that stands for a compiled one
    graph_mode.py     GRAPH_MODE: which Cell calls and gradient functions run compiled; what
                      ``Cell.set_inputs`` has declared
    surroundings.py   ``surroundings``: what a function reads of its globals and closure
    fuse_steps.py     ``fuse_steps``: a scan over the program of one step
    function.py       ``CompiledFunction``: its programs by signature, which of them a call runs
    signature.py      ``CallSignature``: the key of a call's arguments, and the Tensors in them
    guards.py         ``Guards``: whether what a trace read of Cells still stands there
    program.py        ``CompiledProgram``: takes the state, runs, commits; state that stays resident
    spread.py         inputs and state of a program laid over the devices of this process
    record.py         ``record``: one trace of a call made into a program; ``record_call``: the
                      Tensors that are given apart from those found elsewhere
    branches.py       ``join_paths``: the traces of an ``if`` on a Tensor joined by ``lax.cond``
    outcomes.py       ``Outcomes``: paths that raise, or give values of different structure;
                      ``as_compiled``: what Python raises, as MindSpore does in compiled code
    rewriting.py      ``rewritten``: loops and ``if`` as calls, where a trace has failed at them
    jumps.py          ``lowered_loop``: ``break``, ``continue`` and ``return`` in them as flags
    while_loops.py    ``run_while``: a ``while`` on Tensors as ``lax.while_loop``
    carried.py        what it carries from turn to turn, lists and dicts among it
    choices.py        ``chosen``: what else a traced Tensor decides, as in ``a if b else c``
    loop_gradient.py  ``while_loop``: that, with a derivative for any number of turns
    reroll.py         ``reroll``: steps that Python has unrolled, found in the trace
    scans.py          ``Scans``: the program with them as ``lax.scan``
    inputs.py         ``CallInputs``: what is an input and what a constant; which has a gradient
    printing.py       ``print`` while a trace runs: an operation of the program
    number.py         ``Number``: a Python number that is an input
    program_cache.py  ``cached_on``: programs kept on the object that they belong to
"""
