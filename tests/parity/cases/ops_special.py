"""Special functions, integer functions and tests of elements."""

import mindspore as ms
from mindspore import Tensor, ops

from tests.parity.case import case
from tests.parity.operator_rows import outcome

ROWS = {
    **{
        n: (lambda pos, n=n: getattr(ops, n)(pos))
        for n in [
            "bessel_i0",
            "bessel_i0e",
            "bessel_i1",
            "bessel_i1e",
            "bessel_j0",
            "bessel_j1",
            "bessel_k0",
            "bessel_k0e",
            "bessel_k1",
            "bessel_k1e",
            "bessel_y0",
            "bessel_y1",
            "i0",
            "sinc",
            "angle",
            "sgn",
            "signbit",
            "isneginf",
            "isposinf",
            "isreal",
            "isnan_ext",
            "is_complex",
            "eps",
            "tensor_expm1",
            "deepcopy",
        ]
    },
    **{
        n: (lambda pos, n=n: getattr(ops, n)()(pos))
        for n in [
            "BesselI0",
            "BesselI0e",
            "BesselI1",
            "BesselI1e",
            "BesselJ0",
            "BesselJ1",
            "BesselK0",
            "BesselK0e",
            "BesselK1",
            "BesselK1e",
            "BesselY0",
            "BesselY1",
            "Sinc",
            "Angle",
            "Eps",
            "Lgamma",
            "Digamma",
            "Gelu",
            "CheckNumerics",
            "NanToNum",
            "StopGradient",
            "ComplexAbs",
            "Expand",
        ]
    },
    "ComplexAbs_c": lambda cplx: ops.ComplexAbs()(cplx),
    "angle_c": lambda cplx: ops.angle(cplx),
    "sgn_c": lambda cplx: ops.sgn(cplx),
    "isreal_c": lambda cplx: ops.isreal(cplx),
    **{
        n: (lambda pos, pos2, n=n: getattr(ops, n)(pos, pos2))
        for n in [
            "igamma",
            "igammac",
            "fmax",
            "heaviside",
            "nextafter",
            "truncate_div",
            "truncate_mod",
            "xdivy",
            "polar",
            "float_power_ext",
            "floordiv",
            "floormod",
            "approximate_equal",
            "expand_as",
            "ldexp",
        ]
    },
    **{
        n: (lambda pos, pos2, n=n: getattr(ops, n)()(pos, pos2))
        for n in [
            "Igamma",
            "Igammac",
            "Fmax",
            "Heaviside",
            "NextAfter",
            "Xdivy",
            "Polar",
            "MulNoNan",
            "IsClose",
            "Zeta",
        ]
    },
    "zeta": lambda pos, big: ops.zeta(big, pos),
    "polygamma": lambda pos: ops.polygamma(Tensor(1, ms.int64), pos),
    "Polygamma": lambda pos: ops.Polygamma()(Tensor(2, ms.int64), pos),
    "mvlgamma": lambda big: ops.mvlgamma(big, 2),
    "Mvlgamma": lambda big: ops.Mvlgamma(2)(big),
    "Betainc": lambda pos, pos2, small: ops.Betainc()(pos, pos2, small),
    "logit": lambda small: ops.logit(small),
    "logit_eps": lambda small: ops.logit(small, 0.3),
    "Logit": lambda small: ops.Logit()(small),
    "Logit_eps": lambda small: ops.Logit(0.3)(small),
    **{
        n: (lambda ints, ints2, n=n: getattr(ops, n)(ints, ints2))
        for n in ["gcd", "lcm", "truncate_div", "truncate_mod", "fmax", "floordiv"]
    },
    **{
        n: (lambda ints, ints2, n=n: getattr(ops, n)()(ints, ints2))
        for n in ["Gcd", "Lcm", "LeftShift", "RightShift"]
    },
    "invert": lambda short: ops.invert(short),
    "Invert": lambda short: ops.Invert()(short),
    "population_count": lambda short: ops.population_count(short),
    "PopulationCount": lambda short: ops.PopulationCount()(short),
    "SquareSumAll": lambda pos, pos2: ops.SquareSumAll()(pos, pos2),
    "soft_shrink": lambda line: ops.soft_shrink(line, 0.6),
    "GLU": lambda even: ops.GLU()(even),
    "angle": lambda cplx: ops.angle(cplx),
    "Angle": lambda cplx: ops.Angle()(cplx),
    "ComplexAbs": lambda cplx: ops.ComplexAbs()(cplx),
    "Expand": lambda row3: ops.Expand()(row3, Tensor([2, 3], ms.int32)),
    "FillV2": lambda index: ops.FillV2()(index, Tensor(1.5, ms.float32)),
    "approximate_equal": lambda pos, pos2: ops.approximate_equal(pos, pos2),
    "is_nonzero": lambda one: ops.is_nonzero(one),
    "CompareAndBitpack": lambda line8: ops.CompareAndBitpack()(line8, Tensor(0.5, ms.float32)),
    "logspace": lambda: ops.logspace(Tensor(0.0, ms.float32), Tensor(2.0, ms.float32), 4),
    "LogSpace": lambda: ops.LogSpace(4)(Tensor(0.0, ms.float32), Tensor(2.0, ms.float32)),
    "addr": lambda wide, two, three: ops.addr(wide, two, three, beta=2, alpha=3),
    "mixed_precision_cast": lambda pos: ops.mixed_precision_cast(ms.float16, pos),
    "gumbel_softmax_sum": lambda wide: ops.gumbel_softmax(wide).sum(1),
    "NuclearNorm": lambda wide: ops.NuclearNorm()(wide),
    "SubAndFilter": lambda ints: ops.SubAndFilter()(ints, Tensor(3, ms.int32), Tensor(2, ms.int32)),
}
# No derivative is defined for these, or it is that of a bug.
NO_GRADIENT = ("sgn_c", "heaviside", "Heaviside", "IsClose", "CompareAndBitpack", "NuclearNorm")
# These take anything as a first argument, or raise another type.
TOLERANT = ("StopGradient", "FillV2", "mixed_precision_cast")


@case.table({name: (name,) for name in ROWS}, tol=1e-5)
def row(name):
    return outcome(ROWS[name], gradient=name not in NO_GRADIENT, wrong=name not in TOLERANT)


# MindSpore's kernel is 2e-8 off.
@case(tol=1e-7)
def incomplete_in_float64():
    a, b = Tensor([4.0, 1.5], ms.float64), Tensor([2.0, 3.0], ms.float64)
    lower = ms.grad(ops.igamma, (0, 1))(a, b)
    return ops.igamma(a, b), ops.igammac(a, b), lower
