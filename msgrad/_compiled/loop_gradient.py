"""``while_loop``: ``lax.while_loop`` with a derivative, also backwards.

How often a loop turns is known only once it has run, so JAX has no place for the states that its
backward pass needs. Here some of them are kept, ``_MAX_PLACES`` at most: every one at first;
whenever the places are full every other one is dropped, and from then on half as many are kept. The
backward pass runs the turns between two of them again: none where there are no more turns than
places, each of them once up to the square of that.

A derivative of the derivative is not there: ``linear_call`` raises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.custom_derivatives import SymbolicZero

from msgrad._core.engine.linear import linear_call
from msgrad._core.promotion import is_inexact
from msgrad._core.scopes.cotangent import instantiated

_MAX_PLACES, _MIN_PLACES, _BYTES = 256, 8, 1 << 26

Values = list[Any]
# Takes constants and the state.
Step = Callable[[Values, Values], Values]


def while_loop(test: Step, step: Step, constants: tuple[Values, Values], start: Values) -> Values:
    """Run ``step`` while ``test`` says so.

    Args:
        test: Returns one boolean, in a list.
        step: Returns the next state.
        constants: Those of both.
        start: The first state.
    """

    @jax.custom_jvp
    def loop(constants: tuple[Values, Values], start: Values) -> Values:
        return lax.while_loop(
            lambda state: test(constants[0], state)[0],
            lambda state: step(constants[1], state),
            start,
        )

    def derivative(primals: Any, tangents: Any) -> tuple[Values, Values]:
        (asked, fixed), start = primals
        (_, moves), pushed = tangents
        if all(type(tangent) is SymbolicZero for tangent in [*moves, *pushed]):
            final = loop(*primals)
            return final, [_no_tangent(value) for value in final]
        run = _Run(test, step, [type(t) is not SymbolicZero and _moves(t) for t in moves], start)
        final, kept = run.forward(asked, fixed, start)
        moved = [*run.moving_constants(moves), *map(instantiated, run.moving(pushed))]
        found = iter(linear_call(run.push, run.pull, (fixed, start, kept), moved))
        pairs = zip(final, run.moves, strict=True)
        return final, [next(found) if moves else _no_tangent(value) for value, moves in pairs]

    loop.defjvp(derivative, symbolic_zeros=True)
    return loop(constants, start)


def _moves(value: Any) -> bool:
    return is_inexact(value.dtype)


def _no_tangent(value: Any) -> Any:
    return jnp.zeros_like(value) if _moves(value) else np.zeros(value.shape, jax.dtypes.float0)


class _Run:
    """A loop that is differentiated.

    Args:
        test, step: As ``while_loop`` takes them.
        constants_move: Which constants of ``step`` are differentiated.
        start: The first state.
    """

    def __init__(self, test: Step, step: Step, constants_move: list[bool], start: Values) -> None:
        self._test, self._step = test, step
        self.constants_move = constants_move
        self.moves = [*map(_moves, start)]
        size = max(1, sum(value.size * value.dtype.itemsize for value in start))
        self._places = _MAX_PLACES
        while self._places > _MIN_PLACES and self._places * size > _BYTES:
            self._places //= 2

    def moving(self, state: Values) -> Values:
        """Return what of a state is differentiated."""
        return [value for value, moves in zip(state, self.moves, strict=True) if moves]

    def moving_constants(self, fixed: Values) -> Values:
        """Return what of the constants is differentiated."""
        return [value for value, moves in zip(fixed, self.constants_move, strict=True) if moves]

    def forward(self, asked: Values, fixed: Values, start: Values) -> tuple[Values, Any]:
        """Run it, and keep states.

        Returns:
            The last state, and: how many turns there were, of how many one state is kept, these.
        """
        places, zero = self._places, jnp.int32(0)

        def goes_on(carry: Any) -> Any:
            return self._test(asked, carry[2])[0]

        def turn(carry: Any) -> Any:
            number, every, state, kept = carry
            place = jnp.where(number % every == 0, number // every, places)
            kept = _put(kept, place, state)
            return number + 1, every, self._step(fixed, state), kept

        def until_full(carry: Any) -> Any:
            carry = lax.while_loop(lambda c: goes_on(c) & (c[0] < places * c[1]), turn, carry)
            number, every, state, kept = carry
            full = number == places * every
            kept = [jnp.where(full, _every_other(each), each) for each in kept]
            return number, jnp.where(full, every * 2, every), state, kept

        empty = self._empty(start)
        carry = (zero, jnp.int32(1), start, empty)
        number, every, final, kept = lax.while_loop(goes_on, until_full, carry)
        return final, (number, every, kept)

    def _empty(self, state: Values) -> Values:
        """Return places for states, and one for what is not kept."""
        return [jnp.zeros((self._places + 1, *v.shape), v.dtype) for v in state]

    def push(self, given: Any, tangents: Values) -> Values:
        """Return the tangents of the last state, of those of constants and of the first."""
        fixed, start, (turns, _, _) = given
        count = sum(self.constants_move)
        constants = self.moving_constants(fixed)

        def turn(carry: Any) -> Any:
            number, state, moved = carry
            primals = constants, self.moving(state)
            run = self._in_what_moves(fixed, state)
            _, moved, state = jax.jvp(run, primals, (tangents[:count], moved), has_aux=True)
            return number + 1, state, moved

        carry = jnp.int32(0), start, tangents[count:]
        return lax.while_loop(lambda c: c[0] < turns, turn, carry)[2]

    def pull(self, given: Any, cotangents: Values) -> Values:
        """Return the cotangents of constants and of the first state, of those of the last."""
        fixed, start, (turns, every, kept) = given
        constants = self.moving_constants(fixed)
        width = jnp.minimum(every, self._places)

        def back(block: Any) -> Any:
            """Go backwards through turns whose states all have a place."""
            number, of_constants, of_state, own = block
            first = (number - 1) * width
            end = jnp.minimum(number * width, turns)
            begin = first // every

            def again(carry: Any) -> Any:
                number, state, own = carry
                state = self._step(fixed, state)
                number = number + 1
                place = jnp.where(number >= first, number - first, self._places)
                return number, state, _put(own, place, state)

            def turn(carry: Any) -> Any:
                number, of_constants, of_state = carry
                state = [each[number - 1 - first] for each in own]
                run = self._in_what_moves(fixed, state)
                _, pull, _ = jax.vjp(run, constants, self.moving(state), has_aux=True)
                more, of_state = pull(of_state)
                of_constants = [a + b for a, b in zip(of_constants, more, strict=True)]
                return number - 1, of_constants, of_state

            state = [each[begin] for each in kept]
            own = _put(own, jnp.where(begin * every >= first, 0, self._places), state)
            carry = begin * every, state, own
            own = lax.while_loop(lambda c: c[0] < end - 1, again, carry)[2]
            carry = end, of_constants, of_state
            _, *found = lax.while_loop(lambda c: c[0] > first, turn, carry)
            return number - 1, *found, own

        zeros = [jnp.zeros(value.shape, value.dtype) for value in constants]
        blocks = (turns + width - 1) // width
        carry = blocks, zeros, cotangents, self._empty(start)
        _, of_constants, of_state, _ = lax.while_loop(lambda c: c[0] > 0, back, carry)
        return [*of_constants, *of_state]

    def _in_what_moves(self, fixed: Values, state: Values) -> Callable[..., tuple[Values, Values]]:
        """Return a turn as a function of what is differentiated; it gives the whole state too."""

        def run(constants: Values, moving: Values) -> tuple[Values, Values]:
            all_fixed = _filled(fixed, constants, self.constants_move)
            after = self._step(all_fixed, _filled(state, moving, self.moves))
            return self.moving(after), after

        return run


def _filled(values: Values, moving: Values, moves: list[bool]) -> Values:
    rest = iter(moving)
    return [next(rest) if m else v for v, m in zip(values, moves, strict=True)]


def _put(places: Values, place: Any, state: Values) -> Values:
    return [each.at[place].set(value) for each, value in zip(places, state, strict=True)]


def _every_other(places: Any) -> Any:
    half = places[:-1:2]
    return jnp.concatenate([half, half, places[-1:]])
