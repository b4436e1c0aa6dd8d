"""CTC, by Optax: the losses of sequences whose alignment is not known, and reading one greedily."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from msgrad._core.checks import one_of, within
from msgrad._core.op import Array, Indices, operator
from msgrad._core.promotion import is_float, wide
from msgrad._core.registry import function
from msgrad.common.tensor import Tensor
from msgrad.ops._checks import need, of_dtype, of_rank, of_shape
from msgrad.ops.extremes import position_of

# Optax's logarithm of 0.
_NEVER = -1e5


def _paddings(lengths: Array, most: int) -> Array:
    return (jnp.arange(most) >= lengths[:, None]).astype(jnp.float32)


def _forward(
    logits: Array, lengths: Array, labels: Array, label_lengths: Array, blank: int
) -> tuple[Array, Array, Array]:
    """Return the losses (N,) and Optax's log-probabilities at blanks and at labels (T, N, ...)."""
    # Loaded when first needed: importing it takes half a second.
    import optax

    # One step more, which is padding: in the last step Optax adds up how a sequence may end.
    logits = jnp.concatenate([logits, jnp.zeros_like(logits[:1])])
    # What Optax starts from has the default dtype.
    with jax.enable_x64(logits.dtype == jnp.float64):
        loss, at_blank, at_label = optax.ctc_loss_with_forward_probs(
            logits.swapaxes(0, 1),
            _paddings(lengths, logits.shape[0]).astype(logits.dtype),
            labels.astype(jnp.int32),
            _paddings(label_lengths, labels.shape[1]).astype(logits.dtype),
            blank_id=blank,
            log_epsilon=_NEVER,
        )
    return loss, at_blank[:-1], at_label[:-1]


def _losses(loss: Array, zero_infinity: bool) -> Array:
    impossible = loss > -_NEVER / 2
    return jnp.where(impossible, 0.0 if zero_infinity else jnp.inf, loss).astype(loss.dtype)


def _of_no_label(x: Array, lengths: Array) -> Array:
    """Return what MindSpore adds to the losses (N,) of sequences without labels.

    There it counts as an end to be at the blank after the last step but one as well, and the
    gradient leaves out what the normalization of the last step has to do with it.
    """
    last = x[lengths - 1, jnp.arange(x.shape[1])]
    return jax.nn.log_sigmoid(last[:, -1] - jax.lax.stop_gradient(jax.nn.logsumexp(last, -1)))


def _each_once(x: Array, lengths: Array, labels: Array, counts: Array) -> Array:
    """Return the losses (N,) where each label is one step of the output, and all others blank."""
    log_probs = jax.nn.log_softmax(x)
    at_labels = jnp.take_along_axis(log_probs, labels[None], 2)
    begin = jnp.full((x.shape[1], labels.shape[1] + 1), _NEVER, x.dtype).at[:, 0].set(0)

    def step(so_far: Array, now: tuple[Array, Array, Array]) -> tuple[Array, None]:
        number, at_blank, at_label = now
        read = jnp.pad(so_far[:, :-1] + at_label, ((0, 0), (1, 0)), constant_values=2 * _NEVER)
        following = jnp.logaddexp(so_far + at_blank[:, None], read)
        return jnp.where((number < lengths)[:, None], following, so_far), None

    steps = jnp.arange(x.shape[0]), log_probs[..., -1], at_labels
    return -jnp.take_along_axis(jax.lax.scan(step, begin, steps)[0], counts[:, None], 1)[:, 0]


@operator("CTCLoss")
def _ctc_loss_dense(
    x: Array, labels: Indices, counts: Indices, lengths: Indices, merge: bool
) -> tuple[Array, Array]:
    def losses(x: Array) -> Array:
        x = wide(x)
        if merge:
            found = _forward(x, lengths, labels, counts, x.shape[2] - 1)[0]
        else:
            found = _each_once(x, lengths, labels, counts)
        found = _losses(found, False)
        return jnp.where((counts == 0) & (lengths > 1), found + _of_no_label(x, lengths), found)

    loss, pullback = jax.vjp(losses, x)
    (gradient,) = pullback(jnp.ones_like(loss))
    return loss.astype(x.dtype), jax.lax.stop_gradient(gradient)


@function(primitive="CTCLoss(*)")
def _ctc_loss_sparse(
    x: Tensor,
    labels_indices: Tensor,
    labels_values: Tensor,
    sequence_length: Tensor,
    *,
    preprocess_collapse_repeated: bool = False,
    ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False,
) -> tuple[Tensor, Tensor]:
    """Compute the losses of label sequences of which the alignment is not known.

    Args:
        x: Tensor (T, N, C), floating, not normalized; the last class is the blank.
        labels_indices: int64 Tensor (L, 2): which sequence, and the place in it.
        labels_values: int32 Tensor (L,), the labels; a sequence ends where one is not below
            C - 1, so that it can be padded with the blank.
        sequence_length: int32 Tensor (N,): how many of T steps there are.
        preprocess_collapse_repeated: Whether labels that repeat the one before are left out.
        ctc_merge_repeated: Whether a label may be several steps of the output in a row; otherwise
            it is one, and does not need a blank before it if it repeats another.
        ignore_longer_outputs_than_inputs: Without effect: the loss of a sequence with more labels
            than steps is infinite, and has no gradient.

    Returns:
        The losses (N,) and their gradient (T, N, C).

    Differs from MindSpore: a label behind the end of its sequence is no error, nor are more labels
    than steps, a sequence of no step, or of one without labels.
    """
    need(x.ndim == 3 and is_float(x.dtype.np_dtype), "x must be floating, of 3 dimensions", x.shape)
    sizes = x.shape[1], x.shape[2] - 1
    labels, counts = _dense_labels(
        labels_indices, labels_values, *sizes, preprocess_collapse_repeated
    )
    return _ctc_loss_dense(x, labels, counts, sequence_length, ctc_merge_repeated)


@operator("CTCLoss")
def _dense_labels(
    indices: Indices, values: Indices, batch: int, blank: int, collapse: bool
) -> tuple[Array, Array]:
    of_shape(indices, "labels_indices", values.size, 2)
    dense = jnp.full((batch, values.size + 1), blank, jnp.int32)
    dense = dense.at[indices[:, 0], indices[:, 1]].set(values.astype(jnp.int32))
    ended = jnp.cumsum(dense >= blank, 1) > 0
    labels, taken = jnp.where(ended, 0, dense)[:, :-1], ~ended[:, :-1]
    if collapse:
        taken &= jnp.diff(labels, axis=1, prepend=-1) != 0
        labels = jnp.take_along_axis(labels, jnp.argsort(~taken, 1), 1)
    return labels, taken.sum(1, dtype=jnp.int32)


@operator("CTCLossV2", primitive="(blank=0, reduction='none', zero_infinity=False)")
def _ctc_loss_v2(
    log_probs: Array,
    targets: Indices,
    input_lengths: Indices,
    target_lengths: Indices,
    blank: int,
    reduction: str,
    zero_infinity: bool,
) -> tuple[Array, Array]:
    """Compute the losses of label sequences; the arguments are those of ``ctc_loss``.

    Args:
        reduction: ``'none'``.

    Returns:
        The losses (N,), and the log-probabilities of the alignments (N, T, 2 * S + 1).
    """
    of_dtype(log_probs, "log_probs", jnp.float32, jnp.float64)
    for label, x in (
        ("targets", targets),
        ("input_lengths", input_lengths),
        ("target_lengths", target_lengths),
    ):
        of_dtype(x, label, jnp.int32, jnp.int64)
    of_rank(log_probs, 3, label="log_probs")
    of_rank(targets, 2, label="targets")
    one_of("", "reduction", reduction, "none")
    within("", "blank", blank, f"[0, {log_probs.shape[2]})")
    loss, at_blank, at_label = _forward(log_probs, input_lengths, targets, target_lengths, blank)
    # Optax normalizes; what it took away is added to every alignment.
    # The derivative, as MindSpore's, is that of probabilities which are not normalized again.
    sums = jnp.exp(jnp.minimum(wide(log_probs), 80)).sum(-1)
    norms = jax.scipy.special.logsumexp(log_probs, -1) - (sums - jax.lax.stop_gradient(sums))
    steps = jnp.arange(log_probs.shape[0])[:, None] < input_lengths
    norms = jnp.cumsum(jnp.where(steps, norms, 0), 0)
    pairs = jnp.stack([at_blank[:, :, :-1], at_label], -1).reshape(*at_label.shape[:2], -1)
    alpha = jnp.concatenate([pairs, at_blank[:, :, -1:]], -1) + norms[..., None]
    states = jnp.arange(alpha.shape[2]) <= 2 * target_lengths[:, None]
    seen = steps[..., None] & states & (alpha > _NEVER / 2)
    alpha = jax.lax.stop_gradient(jnp.where(seen, alpha, -jnp.inf))
    return _losses(loss - norms[-1], zero_infinity), alpha.swapaxes(0, 1)


@function
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor,
    target_lengths: Tensor,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> tuple[Tensor, Tensor]:
    """Compute the loss of label sequences of which the alignment is not known.

    Args:
        log_probs: Tensor (T, N, C), float32 or float64: logarithms of probabilities.
        targets: int Tensor (N, S), the labels.
        input_lengths: int Tensor or tuple (N,): how many of T steps there are.
        target_lengths: int Tensor or tuple (N,): how many of S labels there are.
        blank: Which class is the blank.
        reduction: ``'none'``, ``'sum'``, or ``'mean'``: of the losses by their numbers of labels.
        zero_infinity: Whether an infinite loss is 0, and its gradient.

    Returns:
        The loss, and the log-probabilities of the alignments (N, T, 2 * S + 1).
    """
    one_of("", "reduction", reduction, "none", "sum", "mean")
    given, counts = (
        Tensor(v) if isinstance(v, (tuple, list)) else v for v in (input_lengths, target_lengths)
    )
    loss, alpha = _ctc_loss_v2(log_probs, targets, given, counts, blank, "none", zero_infinity)
    if reduction == "sum":
        return loss.sum(), alpha
    if reduction == "mean":
        loss = (loss / counts.clamp(1).astype(loss.dtype)).mean()
    return loss, alpha


@operator("CTCGreedyDecoder")
def _greedy(inputs: Array, lengths: Indices, merge: bool) -> tuple[Array, Array, Array]:
    """Return the best class of each step (T, N), whether it is read, and the log-probabilities."""
    of_dtype(inputs, "inputs", jnp.float32, jnp.float64)
    of_rank(inputs, 3)
    of_shape(lengths, "sequence_length", inputs.shape[1])
    of_dtype(lengths, "sequence_length", jnp.int32)
    best = position_of(inputs, 2, True)[..., 0]
    steps = jnp.arange(inputs.shape[0])[:, None] < lengths
    new = jnp.concatenate([jnp.ones_like(best[:1], bool), best[1:] != best[:-1]])
    read = steps & (best != inputs.shape[2] - 1) & (new if merge else True)
    scores = -jnp.where(steps, inputs.max(-1), 0).sum(0)
    return best, read, scores[:, None]


@function(primitive="CTCGreedyDecoder(merge_repeated=True)")
def ctc_greedy_decoder(
    inputs: Tensor, sequence_length: Tensor, merge_repeated: bool = True
) -> tuple[Any, ...]:
    """Read the best class of each step; the last class is the blank.

    Args:
        inputs: Tensor (T, N, C), float32 or float64.
        sequence_length: int32 Tensor (N,): how many of T steps there are.
        merge_repeated: Whether a class that is best in several steps in a row is read once.

    Returns:
        Where each class stands that was read, (L, 2): its sequence and its place in it; the classes
        (L,); the number of sequences and the largest number of classes; and the scores (N, 1).
        How many there are depends on the values, so it cannot be compiled.
    """
    found = _greedy(inputs, sequence_length, merge_repeated)
    best, read = (np.asarray(t._concrete("CTCGreedyDecoder")).T for t in found[:2])
    places = [(n, i) for n, row in enumerate(read) for i in range(int(row.sum()))]
    shape = [len(read), int(read.sum(1).max(initial=0))]
    return (
        Tensor(np.array(places, np.int64).reshape(-1, 2)),
        Tensor(best[read].astype(np.int64)),
        Tensor(np.array(shape, np.int64)),
        found[2],
    )


@function(primitive="EditDistance(normalize=True)")
def _edit_distance(
    hypothesis_indices: Tensor,
    hypothesis_values: Tensor,
    hypothesis_shape: Tensor,
    truth_indices: Tensor,
    truth_values: Tensor,
    truth_shape: Tensor,
    normalize: bool,
) -> Tensor:
    """Compute how many insertions, deletions and replacements make one sequence of another.

    Args:
        hypothesis_indices: int64 Tensor (L, dimensions): the places of the first sequences' values.
        hypothesis_values: Tensor (L,).
        hypothesis_shape: int64 Tensor (dimensions,); the last dimension is along a sequence.
        truth_indices: The same of the second sequences.
        truth_values: The same.
        truth_shape: The same.
        normalize: Whether to divide by the length of the second sequence.

    Returns:
        float32 Tensor of all dimensions but the last. It cannot be compiled.
    """
    parts = (hypothesis_indices, hypothesis_values, hypothesis_shape)
    firsts, shape = _sequences(*(np.asarray(t._concrete("EditDistance")) for t in parts))
    parts = (truth_indices, truth_values, truth_shape)
    seconds, other = _sequences(*(np.asarray(t._concrete("EditDistance")) for t in parts))
    out = np.zeros(np.maximum(shape, other), np.float32)
    for place in np.ndindex(*out.shape):
        first, second = firsts.get(place, []), seconds.get(place, [])
        found = _distance(first, second)
        if normalize:
            found = found / len(second) if second else np.inf if first else 0
        out[place] = found
    return Tensor(out)


def _sequences(places: Any, values: Any, shape: Any) -> tuple[dict[Any, list[Any]], Any]:
    found: dict[Any, list[Any]] = {}
    for place, value in zip(places.tolist(), values.tolist(), strict=True):
        found.setdefault(tuple(place[:-1]), []).append(value)
    return found, shape[:-1]


def _distance(first: list[Any], second: list[Any]) -> int:
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(second, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]
