"""Python's operators: how each is spelled, the ufunc that it is on arrays, and what else they share."""

import builtins
import operator

import numpy as np

from ..book import traits

traits(operator.add, sign="+", ufunc=np.add)
traits(operator.sub, sign="-", ufunc=np.subtract)
traits(operator.mul, sign="*", ufunc=np.multiply)
traits(operator.truediv, sign="/", ufunc=np.divide)
traits(operator.floordiv, sign="//", ufunc=np.floor_divide)
traits(operator.mod, sign="%", ufunc=np.remainder)
traits(operator.pow, sign="**", ufunc=np.power)
traits(operator.matmul, sign="@", ufunc=np.matmul)
traits(operator.and_, sign="&", ufunc=np.bitwise_and)
traits(operator.or_, sign="|", ufunc=np.bitwise_or)
traits(operator.xor, sign="^", ufunc=np.bitwise_xor)
traits(operator.lshift, sign="<<", ufunc=np.left_shift)
traits(operator.rshift, sign=">>", ufunc=np.right_shift)
traits(operator.lt, sign="<", ufunc=np.less)
traits(operator.le, sign="<=", ufunc=np.less_equal)
traits(operator.gt, sign=">", ufunc=np.greater)
traits(operator.ge, sign=">=", ufunc=np.greater_equal)
traits(operator.eq, sign="==", ufunc=np.equal)
traits(operator.ne, sign="!=", ufunc=np.not_equal)
traits(operator.is_, sign="is")
traits(operator.is_not, sign="is not")
traits(operator.neg, sign="-x", ufunc=np.negative)
traits(operator.pos, sign="+x", ufunc=np.positive)
traits(operator.invert, operator.inv, sign="~x", ufunc=np.invert)
traits(operator.not_, sign="not x")
traits(operator.abs, builtins.abs, ufunc=np.absolute)
traits(builtins.pow, ufunc=np.power)

traits(operator.iadd, augments=operator.add, writes="sum")
traits(operator.isub, augments=operator.sub)
traits(operator.imul, augments=operator.mul)
traits(operator.itruediv, augments=operator.truediv)
traits(operator.ifloordiv, augments=operator.floordiv)
traits(operator.imod, augments=operator.mod)
traits(operator.ipow, augments=operator.pow)
traits(operator.imatmul, augments=operator.matmul)

COMPARISONS = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)
IDENTITIES = (operator.is_, operator.is_not, operator.not_)
traits(
    *COMPARISONS, operator.neg, operator.pos, operator.abs, builtins.abs,
    elementwise=True,
)  # fmt: skip
traits(*COMPARISONS, *IDENTITIES, operator.contains, gives="truth")
traits(*IDENTITIES, operator.truth, answered=True)
traits(operator.is_, operator.is_not, effect="none")
traits(operator.add, operator.sub, operator.mul, operator.truediv, operator.neg, real="kept")
traits(operator.matmul, fills="all")
traits(
    *COMPARISONS, *IDENTITIES, operator.truth, operator.contains, operator.add, operator.sub, operator.mul,
    operator.truediv, operator.floordiv, operator.mod, operator.pow, operator.matmul, operator.and_,
    operator.or_, operator.xor, operator.lshift, operator.rshift, operator.neg, operator.pos,
    operator.invert, operator.inv, operator.index, operator.abs, memory="new",
)  # fmt: skip
