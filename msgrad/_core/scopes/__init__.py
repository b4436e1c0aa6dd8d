"""Which values substitute variables while a function runs under a JAX transform.

scope.py              ``Scope``: substitutes, writes, what escapes; commit or abandon; ``only_if``
discovery.py          ``LiftScope``: the scope of a trace for compilation, which finds its state
lifted.py             the equations that stand for state and predicates, and how they are read
cotangent.py          gradients that user code gives in a shape or dtype of its own
integer_gradients.py  carriers: gradients through integer Tensors
"""
