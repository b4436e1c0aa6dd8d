"""Cases in which msgrad deliberately differs from MindSpore 2.10, each with its reason.

A case in ``DIFFERENCES`` must really differ, and one in ``NOT_YET`` must say that the name it
needs is absent: an entry that has gone stale fails its test.
"""

from __future__ import annotations

_IDS = "2.10 slices the gradient instead of pairing it with its position; here ids are paired"
_INDEX = "2.10 refuses x[0] in a gradient of a gradient; here it is differentiated"
_BARE = "worked in 2.0, refused by 2.10; accepted here, for the first input"
_WRITTEN = "2.10 loses the gradient of an input that construct writes and returns; it is kept here"
_COPIED = "2.10 loses what copy_ writes into a part or a transpose; here it is written"
_CALLABLE = "2.10 asks the function for a __name__; here anything that can be called will do"
_SLICE = "2.10 renames the parameters of the list that was sliced; here a slice renames nothing"
_DROPPED = "2.10 silently drops all cells when several arguments are given; here it is an error"
_NESTEROV = "2.10 ignores use_nesterov on CPU; here it does what the documentation says"
_SET_DATA = "2.10 goes on with the value of the first step after set_data; here the new one is used"
_OVERWRITTEN = (
    "2.10's backward pass reads the new value also for the use before the write; here each use "
    "keeps the value it read"
)
_FTRL = "2.10's CPU kernel adds l1 with the wrong sign; here it is as documented"
_SLOTS = "2.10 ignores update_slots=False on CPU; here it does what the documentation says"
_AMSGRAD = "2.10 ignores amsgrad here; msgrad does what the documentation says"
_MATMUL = (
    "2.10 loses a term of matmul's second derivative (ops.mm has it); here it is the derivative"
)

_TABLE = "2.10 ignores the dtype and makes a float32 table; here it counts, as documented"
_PREFIXES = "2.10 ignores the prefixes for safetensors; here they count in both formats"

_ANOTHER_NAME = (
    "2.10 compiles a write to a name as a new value of that name alone: what other names show of "
    "the Tensor, or of what it is a part of, stays; here all see it, as in PYNATIVE"
)
_OWN_IN_A_GRADIENT = (
    "2.10 writes to one Tensor alone within a gradient call: what shows the same elements stays, "
    "unlike without a gradient; here all see it in both"
)
_IN_PLACE = (
    "2.10 compiles y += 1 as a write into the Tensor, which its aliases and the caller's argument "
    "see, and makes a new one in PYNATIVE; here it makes a new one in both"
)

_ON_CPU = "2.10 checks for overflow on Ascend and GPU only; here the step runs on every device"

_OUT_OF_BOUNDS = (
    "2.10 raises an error also in a compiled call; here a program cannot raise for a value: the "
    "nearest element is read, or nan, and what would be written outside is dropped"
)

# By where the change is looked for; ``tests/parity/cases/replaced.py``.
_BAKED = "2.10 compiles once and goes on with the first state; here a change is seen, as eagerly"
_CHANGED = (
    *("append", "set", "del", "insert", "extend", "dict_set", "dict_new", "dict_del"),
    *("chain_append", "chain_set", "cell", "insert_child_to_cell", "parameter", "tensor"),
    *("number", "tuple", "list", "list_in_place"),
)
_CHANGED_BELOW = ("append", "set", "del", "cell", "parameter", "number")

_FROM_A_TUPLE = (
    "2.10 joins float32 and int32 to float64 if they came in a tuple, to float32 if they came "
    "alone; here it is float32"
)

_SINGLE = "2.10 computes it in float32, whatever the dtype says; here in float64"
_DIGITS = "2.10 rounds a Python number to float32 beside a float64 Tensor; here it keeps its digits"

_JIT_INSIDE = (
    "2.10 forgets the backward pass of a jitted function at second order; here it counts as it "
    "does without jit, in both libraries"
)
_JACOBIANS = (
    "2.10 forgets bprop in a jacrev of jacrev and a jacfwd of jacrev; here it counts as in its "
    "jacrev of grad"
)

_COMPLEX = "2.10 has no backward pass of a complex product; here it is differentiated"

_LGAMMA = "2.10's gradient is nan where the branch that is not taken is; here it is the derivative"

_BACKWARDS = (
    "2.10 takes other elements, or memory beside them, for a negative step with another bound or "
    "slice; here they are those of Python's slice"
)

_CLIP = "2.10's CPU kernel takes the norms of other rows along an axis; here each row has its own"

_SINGULAR = (
    "2.10 gives the inverse of the largest part that has one, and 0 elsewhere; here elements are "
    "inf or nan, so that it shows"
)

_TANGENT = (
    "2.10 gives derivatives of shapes that depend on how the function is written; here a direction "
    "has to broadcast to its input"
)

DIFFERENCES: dict[str, str] = {
    "dataset_edges:step[map_order]": (
        "2.10 has no column_order any more; here MindSpore 1's spelling works, with a warning"
    ),
    "dataset_edges:step[row_of_1_0]": (
        "2.10 has no get_next any more; here MindSpore 1.0's name of the next row is there"
    ),
    "conv:functions[infinity_in_a_group]": (
        "on a CPU groups of channels are computed side by side with zeros between them, up to "
        "500 times as fast as XLA's own; 0 times infinity is nan"
    ),
    "numpy_edges:gradient_of_flip": (
        "2.10's gradient of mnp.flip loses an element, or fails; here it is flipped back"
    ),
    "ops_fft:real_transform_of_complex[rows]": (
        "2.10 takes the elements of complex rows from where those of others are; here each row has "
        "its own"
    ),
    "optim:construct_of_a_subclass": (
        "2.10 runs a construct that calls super's twice over the gradients; here it runs once"
    ),
    "numpy_edges:edge[full_of_list]": "2.10 ignores the dtype beside a list; here it counts",
    "grad_errors:complex_input": _COMPLEX,
    "grad_transforms:jvp_along_another_shape[row]": _TANGENT,
    "grad_transforms:jvp_along_another_shape[of_a_scalar]": _TANGENT,
    "ops_linear_algebra:inverse_of_a_singular_matrix[inverse]": _SINGULAR,
    "ops_linear_algebra:inverse_of_a_singular_matrix[MatrixInverse]": _SINGULAR,
    "index_forms:backwards[beyond_the_beginning]": _BACKWARDS,
    "index_forms:backwards[beyond_the_end]": _BACKWARDS,
    "index_forms:backwards[and_another]": _BACKWARDS,
    **{
        f"index_forms:compiled_out_of_bounds[{how}]": _OUT_OF_BOUNDS
        for how in ("element", "gather", "gather_elements", "write")
    },
    "index_forms:gradient_at_negative_indices": (
        "2.10 loses the gradient at negative indices of a Tensor; here it is that of the elements"
    ),
    "index_forms:gradient_of_a_value_written_twice": (
        "2.10 counts a value at each time it is written; here only where it is in the end"
    ),
    **{
        f"edges_of_operators:compared_beyond_its_range[{name}]": (
            "2.10 wraps a number to the Tensor's dtype in this comparison (uint8 > 300 is > 44), "
            "and does not in < and ops.equal; here no comparison does"
        )
        for name in ("le", "gt", "ge", "eq", "ne")
    },
    **{
        f"number_edges:nan_is_kept[{name}]": (
            "2.10's CPU kernels lose nan here, a number takes its place; here nan stays to be seen"
        )
        for name in (
            *("relu", "relu6", "hardshrink", "softplus", "maximum", "minimum", "amax", "amin"),
            *("max", "clamp", "max_pool2d", "heaviside", "topk"),
        )
    },
    **{
        f"number_edges:zeros_with_a_sign[{name}]": (
            "2.10's CPU kernels do not see the sign of -0.0; here 1 / -0.0 is -inf, as IEEE has it"
        )
        for name in ("divided", "floored", "div", "copysign", "signbit")
    },
    **{
        f"number_edges:integers_that_overflow[{name}]": (
            "2.10 loses what does not fit into uint8 on the way; here powers wrap around, and "
            "means, norms and losses are those of the numbers"
        )
        for name in ("power", "mean", "norm", "mse_loss")
    },
    **{
        f"number_edges:integers_beyond_float64[{name}]": (
            "2.10 computes this of int64 in float64, which rounds above 2**53; here it is exact"
        )
        for name in ("sum", "power")
    },
    **{
        f"number_edges:any_along[{dtype}]": (
            "2.10 reads bytes of wider elements as if each were one; here it is any of them"
        )
        for dtype in ("int32", "float32")
    },
    "number_edges:taken_backwards[gradient]": (
        "2.10 loses the gradient of x[::-1]; here it is that of the elements"
    ),
    "layers_combined:lookup[norm]": _CLIP,
    "layers_math:gradient[LGamma]": _LGAMMA,
    "ops_apply:whole[ApplyAdagrad_fixed]": _SLOTS,
    "ops_apply:whole[ApplyAdagradDA]": _FTRL,
    "ops_apply:whole[ApplyFtrl]": _FTRL,
    "ops_apply:whole[ApplyMomentum_nesterov]": _NESTEROV,
    "ops_sampling:operator[ctc_zero_infinity]": (
        "2.10's CPU kernel gives inf with zero_infinity; here it gives 0, as documented"
    ),
    "ops_detection:operator[roi_align_end]": (
        "2.10's gradient forgets roi_end_mode=0 and takes the points of mode 1; here it is that of "
        "the result"
    ),
    **{f"replaced:seen_in_graph_mode[{key}]": _BAKED for key in _CHANGED},
    **{f"replaced:seen_where_the_owner_is_not_called[{key}]": _BAKED for key in _CHANGED_BELOW},
    "vmap_tuples:tuples[concatenated-32-int]": _FROM_A_TUPLE,
    "vmap_tuples:tuples[side_by_side-32-int]": _FROM_A_TUPLE,
    "vmap_tuples:compiled[concatenated-32-int]": _FROM_A_TUPLE,
    "vmap_tuples:compiled[side_by_side-32-int]": _FROM_A_TUPLE,
    "grad_64_bit:seen_inside[mask]": _SINGLE,
    "grad_64_bit:seen_inside[sorted]": _SINGLE,
    "grad_64_bit:value_and_gradient[number_of_many_digits]": _DIGITS,
    "grad_64_bit:weighted[number_of_many_digits]": _DIGITS,
    "grad_used:written_before_use": (
        "2.10 orders a parameter that was assigned by its next use; here by the assignment"
    ),
    "sharing:compiled_scatter": (
        "2.10 compiles scatter_ to its result and leaves the Tensor as it was; here it is written"
    ),
    "views_written:gradient_of_what_is_shared[view]": _OWN_IN_A_GRADIENT,
    "views_written:gradient_of_what_is_shared[base]": _OWN_IN_A_GRADIENT,
    "views_written:copied_into[slice]": _COPIED,
    "views_written:copied_into[transposed]": _COPIED,
    "views_written:masked_parameter[compiled]": (
        "2.10 uses what a compiled call writes into a Parameter at a mask, and leaves the "
        "Parameter as it was; here it is written, as in PYNATIVE"
    ),
    "sharing:index_add_leaves_the_tensor": (
        "2.10's CPU kernel writes into the Tensor too; here index_add does not, as documented"
    ),
    "sharing:written_before_an_exception": (
        "2.10 keeps what an eager gradient call wrote before an exception; here a call happens or "
        "it does not, so that the weights of a failed step are whole"
    ),
    "grad_rules:of_the_input[bprop_linear-jit_inside]": _JIT_INSIDE,
    "grad_rules:of_the_input[bprop_round-jit_inside]": _JIT_INSIDE,
    "grad_rules:of_the_input[insert_scale-jit_inside]": _JIT_INSIDE,
    "grad_rules:of_the_input[bprop_linear-jacrev_jacrev]": _JACOBIANS,
    "grad_rules:of_the_input[bprop_linear-jacfwd_jacrev]": _JACOBIANS,
    "grad_rules:of_the_input[cell_backward-jit_outside]": (
        "2.10 compiles a cell's backward hook into the first derivative only; here it is in every "
        "order, as it is eagerly"
    ),
    "grad_rules:of_the_input[hook_backward-jit_outside]": (
        "2.10 ignores HookBackward where it compiles; here it runs there as well"
    ),
    "loss_scale:float_status[float]": "2.10 has no kernel of FloatStatus on CPU; here it has one",
    "mixed_precision:build_with_overflow_check[O2]": _ON_CPU,
    "mixed_precision:build_with_overflow_check[drop]": _ON_CPU,
    "mixed_precision:build_with_overflow_check[dynamic]": _ON_CPU,
    "mixed_precision:level_1_of_the_matmul_sign": (
        "2.10 rewrites source code, which passes the @ operator by; here every product is cast"
    ),
    "mixed_precision:compiled_found_by_functions": (
        "compiled, 2.10 casts a Parameter beside a symbol or given to a Primitive, but not one "
        "given to a function or asked for a method, nor a constant of ones; here all are cast"
    ),
    "mutable:gradient[mutable-deep]": (
        "2.10 makes a list in a dict a tuple in GRAPH_MODE, and a list under jit; here it is a list"
    ),
    "parallel:without_a_launcher[init]": "2.10 wants mpirun; here one process is a group of one",
    "repositories_more:equal_values_of_which_one_is_divided_compiled[gradient]": (
        "2.10 makes two equal expressions one array in a compiled gradient, so that dividing one "
        "in place divides the other; here they are two, as in its value and in PYNATIVE"
    ),
    "wrap:train_one_step_of_several_outputs[two]": (
        "2.10 fails on several outputs with a sens; here each output gets it"
    ),
    "control_flow:in_a_tuple_of_numbers": (
        "2.10 compiles `tensor in (2, 3)` to False, whatever the Tensor is; here it is compared"
    ),
    "control_flow:in_a_tuple_as_a_value": (
        "2.10 compiles `tensor in tensors` to a Tensor; here it is a bool, as in PYNATIVE"
    ),
    "control_flow:integer_powers_of_constants": (
        "2.10 compiles 7 ** -2 to the integer 0, and has 1 / 49 in PYNATIVE; here it is 1 / 49"
    ),
    "graph_programs:unpacked_to_fewer_names": (
        "2.10 compiles `a, b = x, y, z` to its first two, and raises ValueError in PYNATIVE; here "
        "it raises in both, as Python does"
    ),
    "graph_programs:gradients_of_a_list_of_weights[graph]": (
        "2.10 compiles a list of weights that the call makes to a list of gradients, and a list "
        "from outside to a tuple; here it is a tuple, as in PYNATIVE"
    ),
    "graph_programs:augmented_assignment": _IN_PLACE,
    "graph_programs:argument_after_augmented_assignment": _IN_PLACE,
    "graph_programs:gradient_beside_augmented_assignment": (
        "2.10 compiles y -= 1 as a write into y, which its backward pass of y = exp(x) then reads; "
        "here it is the derivative, as in PYNATIVE"
    ),
    "graph_programs:augmented_assignment_of_a_constant": (
        "2.10 compiles total += x as a write into the constant that total began with, and the next "
        "call adds to that; here every call begins with the constant, as in PYNATIVE"
    ),
    **{
        f"graph_programs:written_in_a_compiled_call[by_{way}]": _ANOTHER_NAME
        for way in ("another_name", "a_part", "a_part_of_a_part", "a_method_of_a_part")
    },
    "graph_programs:argument_after_setitem": (
        "2.10 keeps what a compiled call writes into an argument to itself, and shows it in "
        "PYNATIVE; here the argument is written in both"
    ),
    "grad_errors:callable_object": _CALLABLE,
    "grad_errors:partial": _CALLABLE,
    "grad_errors:primitive": _CALLABLE,
    "inner_primitives:steps_in_rows_with_nesterov": _NESTEROV,
    "grad_errors:exception_in_the_inner_of_two_gradients": (
        "2.10 loses the outer gradient when an inner one raised; here it is unharmed"
    ),
    "grad_semantics:dtype_of_sum[bfloat16]": "2.10 has no bfloat16 kernel for this sum on CPU",
    "grad_state:left_on_self[on_self_from_call_to_call]": (
        "2.10 differentiates into the call before and fails; here what was kept is a constant"
    ),
    "grad_edges:one_input[log_sigmoid]": "2.10 overflows to nan at -100; the gradient is 1",
    "grad_edges:one_input[cumprod]": "2.10 divides by the zero factor; the gradient is finite",
    "grad_higher:second[softmax]": "2.10 fails with a null pointer in softmax's second order",
    "grad_higher:printed_in_an_inner_gradient": _INDEX,
    "grad_higher:hessian_by_columns": _INDEX,
    "grad_ids_sens:ids[1]": _IDS,
    "grad_ids_sens:ids[0_and_bare]": _IDS,
    "grad_ids_sens:ids[(0,1)_and_bare]": _IDS,
    "grad_ids_sens:ids[0_and_empty]": _IDS,
    "grad_ids_sens:ids_beside_the_value[1]": _IDS,
    "grad_ids_sens:ids_beside_the_value[0_and_bare]": _IDS,
    "grad_ids_sens:ids_beside_the_value[(0,1)_and_bare]": _IDS,
    "grad_ids_sens:ids_beside_the_value[0_and_empty]": _IDS,
    "repositories_more:gradient_of_normalized_weights[below_epsilon]": (
        "2.10's gradient is not that of what it computes, where the sum of squares is below "
        "epsilon; here it is"
    ),
    "cell_bprop:article_bare_return[clip]": _BARE,
    "cell_bprop:article_bare_return[constant]": _BARE,
    "cell_bprop:input_written_and_returned[one]": _WRITTEN,
    "cell_bprop:input_written_and_returned[of_two]": _WRITTEN,
    "ops_reduction:integer_gradients[mean]": (
        "2.10 has a gradient at integers through x.mean() and mint.mean, zeros through ops.mean "
        "and ReduceMean; here all are one operator, and have it"
    ),
    "grad_compositions:step_counter_set_between_steps[set_data]": (
        "2.10 counts on as before in PYNATIVE, and shows what was set; here it is set, as in "
        "2.10's GRAPH_MODE"
    ),
    "grad_compositions:second_derivative_through_recompute": (
        "2.10 loses terms of the second derivative in PYNATIVE; here it is the derivative"
    ),
    "grad_higher:second[mean]": (
        "2.10 loses the term through mean's factor at second order; here it is the derivative"
    ),
    "grad_programs:maml[matmul]": _MATMUL,
    "grad_programs:hessian_vector_product_by_two_gradients[quartic]": (
        "2.10 loses the second derivative through a sum; here it is the derivative"
    ),
    "grad_hooks:recomputed_cell": (
        "2.10 runs the Python of a recomputed cell twice; here JAX replays its operations"
    ),
    "grad_hooks:recomputed_batch_norm": (
        "2.10 updates the statistics of a recomputed BatchNorm twice a step; here once, as without "
        "recompute"
    ),
    "grad_state:writing_an_element_of_the_input": (
        "2.10 cannot write to an input inside a gradient; here the write is differentiated"
    ),
    "containers:cell_list[args]": _DROPPED,
    "containers:cell_list_errors[list_and_cell]": _DROPPED,
    "containers:cell_dict_errors[two]": _DROPPED,
    "containers:cell_list_slice[1:]": _SLICE,
    "containers:cell_list_slice[::2]": _SLICE,
    "containers:cell_list_slice[::-1]": _SLICE,
    "containers:cell_list_slice[-2:]": _SLICE,
    "containers:names_after_slicing[list]": _SLICE,
    "containers:names_after_slicing[sequential]": _SLICE,
    "containers:appended_to_a_slice": "2.10 overwrites a cell of the slice; here it is appended",
    "optim:plain[Momentum_nesterov]": _NESTEROV,
    "optim:weight_decay[Momentum_nesterov]": _NESTEROV,
    "optim:learning_rate_changed_by_set_data": _SET_DATA,
    "optim:momentum_changed": _SET_DATA,
    "program_edges:weights_set_between_steps": (
        "2.10 no longer trains a weight that set_data or load_param_into_net gave values after a "
        "step: the optimizer goes on with what it saw first; here it is trained"
    ),
    "optim:gradients_halved_by_a_subclass": (
        "2.10 compiles the construct of the subclass for that of its base, so in PYNATIVE what it "
        "does to the gradients happens twice; here once, as in both libraries' GRAPH_MODE"
    ),
    "optim_rules:plain[FTRL_l1]": _FTRL,
    "optim_rules:plain[FTRL_l1_l2]": _FTRL,
    "optim_rules:weight_decay[FTRL_l1]": _FTRL,
    "optim_rules:weight_decay[FTRL_l1_l2]": _FTRL,
    "optim_rules:plain[Adagrad_without_slots]": _SLOTS,
    "optim_rules:weight_decay[Adagrad_without_slots]": _SLOTS,
    "experimental_optim:plain[Adam_amsgrad]": _AMSGRAD,
    "experimental_optim:weight_decay[Adam_amsgrad]": _AMSGRAD,
    "grad_edges:one_input[selu]": "2.10's gradient of selu is wrong below 0; here it is right",
    "callbacks:early_stopping[baseline_reached]": (
        "2.10 takes 0 for any baseline; here the baseline is used as given"
    ),
    "grad_state:parameter_written[assign_after_use]": _OVERWRITTEN,
    "grad_state:parameter_written_twice[assign_after_use]": _OVERWRITTEN,
    "grad_higher:second[matmul]": _MATMUL,
    "layers_more:others[clip_axis]": (
        "2.10's CPU kernel divides each column by the norm of another; here by its own"
    ),
    "embedding:dtype_of_the_table[float16]": _TABLE,
    "embedding:dtype_of_the_table[float64]": _TABLE,
    "probability_distribution:bernoulli_mode": (
        "2.10 refuses its own comparison there; here it is the mode"
    ),
    "probability_distribution:gradient[Beta]": (
        "2.10's gradient of the logarithm of the beta function is nan; here it is the derivative"
    ),
    "probability_bijector:gradient_of_exp[forward_log_jacobian]": (
        "2.10's gradient is nan, from the formula for other powers; here it is 1"
    ),
    "checkpoint:safetensors_option[filter]": _PREFIXES,
    "checkpoint:safetensors_option[specify]": _PREFIXES,
    "checkpoint:shape[column]": (
        "2.10 gives the parameter the loaded shape (2, 1); here it keeps its own shape (2,)"
    ),
    "checkpoint:unchanged_after_an_error_in_the_last": (
        "2.10 leaves the net half loaded after an error; here it is as it was"
    ),
    "dataset_chance:pipeline[taken]": (
        "2.10 also makes the rows that take leaves out, and draws for them; here they are not made"
    ),
    "dataset_text:transform[basic_unused_lower]": (
        "2.10 repeats what stands before a [SEP] when it folds the case; here it comes once"
    ),
    "dataset_text:vocab[data_built]": (
        "2.10's build_vocab counts the words and returns None; here it returns the Vocab"
    ),
    "workflows:a_dict_of_tensors_is_saved": (
        "2.10 fails at its own variable (UnboundLocalError); here it is saved, as documented"
    ),
    "normalization:statistics_of_float16": (
        "2.10 keeps the first moving statistics where they are float16; here they move"
    ),
    "workflows:batch_norm_of_o1_trains": (
        "2.10's BatchNorm keeps to the moving statistics in training at O1; here it trains"
    ),
    **{
        f"examples_ops:of_nan[{name}]": (
            "2.10's CPU kernel takes the number beside a nan; here nan stays, so that it shows"
        )
        for name in ("relu", "maximum", "minimum", "clamp", "hardtanh", "max_pool2d")
    },
    **{
        f"examples_ops:{name}": (
            "2.10 looks at the values and raises an error; here a program does not wait for them: "
            "what is undefined is nan or inf, a negative length reverses nothing"
        )
        for name in (
            "reverse_sequence_by_lengths[long]",
            "reverse_sequence_by_lengths[negative]",
            "mvlgamma_where_it_is_undefined",
        )
    },
    "examples_ops:gradient_of_cholesky_inverse[lower]": (
        "2.10's gradient of cholesky_inverse is right for upper=True only; here it is for both"
    ),
    **{
        f"examples_ops:binary_cross_entropy_of[{case}]": (
            "2.10's CPU kernel gives the mean over a single element twice; here it is once"
        )
        for case in ("one", "one_weighted")
    },
    "examples_ops:xlogy_of_zero": (
        "2.10's CPU kernel computes 0 * log(y), which may be nan; here it is 0, as documented"
    ),
    "examples_ops:any_of_numbers": (
        "2.10's CPU kernel looks at some of the bytes of numbers; here a number other than 0 counts"
    ),
    "examples_ops:bounded[aminmax_nan_first]": (
        "2.10 counts a nan that stands first, though its documentation says none counts"
    ),
    "ops_detection:operator[roi_align_adaptive_small]": (
        "2.10 has no point in a part shorter than an element, and gives NaN; here it has one"
    ),
    "examples_modules:fourier_space[ihfftn]": (
        "2.10 computes hfftn; here it is the inverse that its name and documentation say"
    ),
}

NOT_YET: dict[str, str] = {}
