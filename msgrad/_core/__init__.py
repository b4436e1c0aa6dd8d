"""What everything stands on: the bridge to JAX, scopes, recordings, operators; not public.

From the bottom; ``tests/test_layers.py`` holds the order of the rooms.

    errors.py       the tree of errors
    protocols.py    what higher classes look like from below
    context.py      the one thread-local context; the revision that compiled programs look at
    collecting.py   the garbage collector, paused while programs are made
    memory.py       what programs work in, kept for the next call
    engine/         every private name of JAX and Flax
    ownership.py    who has an array: its Tensor, or a program that will donate it
    watched.py      containers whose changes compiled programs see
    bridge.py       Tensors and raw arrays: ``wrap``, ``unwrap`` and trees of both
    declared.py, checks.py    arguments checked against annotations; one argument by itself
    former.py       arguments as MindSpore 1 and 2.0 spell them
    registry.py, spelling.py    the rows: what is said once of an operator; its other names
    distributed/    ranks, and several devices of one process
    deferred/       operator calls recorded instead of run
    scopes/         substitutes for variables under a transform
    op.py           ``Operator``, and the one way from an operator call to JAX
    by_numpy.py     operators outside of programs by NumPy, for shapes that may not come back
    numpy_*.py      a traced program that NumPy runs, and what each primitive is there
    callbacks.py    functions of NumPy arrays that programs call on the host
    basics.py       the operators that the layers below ``ops`` call
    autocast.py     which float dtype operators compute in
    promotion.py    MindSpore's rules for dtypes and shapes
    random.py       where random operators begin to draw
    streams.py, draws.py, philox.py    MindSpore's numbers: as arrays, one by one; initial weights
    rounding.py     products rounded before what follows, as MindSpore's are
    compile_cache.py, program_store.py    compiled programs on disk: which folder; its files
    kept_programs.py, kept_shapes.py    recordings, and what operators in them give, found on disk
                    without tracing them
    effort.py       how much effort XLA puts into a program, by how often its shapes come back
    continuity.py   whether results of a program can hang on the last bit of a value
    compiles.py     what XLA's compiling takes; the line on a terminal that says so
    user_code.py    which lines of code are the user's
    exports.py, paths.py    ``__all__`` of modules; MindSpore's other import paths (path_tables.py)
    left_out.py, missing.py    names that say why they are not there; names that are absent
    docstrings.py, settings.py    docstrings taken apart; options
    bounded.py, protobuf.py    a table of at most so many entries; varints and lengths, written
"""
