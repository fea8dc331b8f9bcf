"""Names that other libraries have, and what does the same here; none of them is a name of ours."""

from __future__ import annotations

__all__ = ["ELSEWHERE", "here"]

OWN = "`@rg.custom_gradient` (its `.vjp` or `.jvp` decorates the derivative), or `@rg.rule`"
PYTHON = "Python's own `if`, `for` and `while`: they are differentiated as they stand"
PLAIN = "NumPy itself: functions are differentiated as they stand"
TREES = "containers themselves: dicts, lists, tuples and objects are differentiated as they are"
ELSEWHERE = {
    # JAX
    "jacfwd": '`rg.jacobian(f, mode="forward")`',
    "jacrev": '`rg.jacobian(f, mode="reverse")`',
    "custom_jvp": OWN,
    "custom_vjp": OWN,
    "custom_root": "`rg.root`",
    "custom_linear_solve": "`rg.linear_solve`",
    "linear_transpose": "the pullback: `rg.vjp(f, x)[1]`",
    "make_jaxpr": "`rg.differentiate(f).source()`, which is Python",
    "remat": "`rg.checkpoint`",
    "lax": PYTHON,
    "numpy": PLAIN,
    "jnp": PLAIN,
    "tree": TREES,
    "tree_util": TREES,
    "tree_map": TREES,
    "pmap": "one process: nothing is distributed",
    "pjit": "one process: nothing is distributed",
    "pure_callback": "a call: what has no derivative is called as it is",
    "register_pytree_node": "`rg.register_container`",
    "debug_nans": "`np.errstate(invalid='raise')`",
    # HIPS autograd
    "elementwise_grad": "the gradient of the sum: `rg.grad(lambda x: np.sum(f(x)))`",
    "egrad": "the gradient of the sum: `rg.grad(lambda x: np.sum(f(x)))`",
    "deriv": "`rg.grad`",
    "make_jvp": "`rg.jvp(f, (x,), (v,))`",
    "make_vjp": "`rg.vjp(f, x)`",
    "make_hvp": "`rg.hvp(f, (x,), v)`",
    "make_ggnvp": "`rg.vjp` of the product with `rg.jvp`",
    "hessian_vector_product": "`rg.hvp(f, (x,), v)`",
    "hessian_tensor_product": "`rg.hvp(f, (x,), v)`",
    "jacobian_vector_product": "`rg.jvp(f, (x,), (v,))`",
    "vector_jacobian_product": "`rg.vjp(f, x)`",
    "tensor_jacobian_product": "`rg.vjp(f, x)`",
    "multigrad_dict": '`rg.grad(f, wrt=("a", "b"))`',
    "primitive": OWN,
    "defvjp": OWN,
    "defjvp": OWN,
    "getval": "`rg.stop_gradient`",
    # others
    "derivative": "`rg.grad`",
    "gradient_of": "`rg.grad`",
    "grads": "`rg.grad`",
    "grad_and_value": "`rg.value_and_grad`",
    "value_and_gradient": "`rg.value_and_grad`",
    "jac": "`rg.jacobian`",
    "hess": "`rg.hessian`",
    "laplacian": "the trace: `np.trace(rg.hessian(f)(x))`",
    "divergence": "the trace: `np.trace(rg.jacobian(f)(x))`",
    "gradcheck": "`rg.check_grads(f, (x,))`; of tensors `rg.autograd.gradcheck`",
    "autodiff": "`rg.grad` and `rg.jvp`",
    "insert_grad_of": "`rg.on_gradient`",
    "GradientTape": "`rg.grad`",
    "stop_grad": "`rg.stop_gradient`",
    "no_derivative": "`rg.stop_gradient`",
}


def here(name: str, known: list[str]) -> str:
    """What is said of a name that is none; an empty text where nothing is like it.

    >>> here("deriv", []), here("jacobain", ["jacobian"]), here("x", ["jacobian"])
    (': here it is `rg.grad`', '; did you mean `jacobian`?', '')
    """
    if name in ELSEWHERE:
        return f": here it is {ELSEWHERE[name]}"
    from difflib import get_close_matches  # few names are missing

    found = get_close_matches(name, known, n=1, cutoff=0.7)
    return f"; did you mean `{found[0]}`?" if found else ""
