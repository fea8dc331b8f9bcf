"""What is differentiated: rows of the table of constructs."""

from .row import XS, add

# --- arguments --------------------------------------------------------------------------

G = "What is differentiated"
add(
    G,
    "an integer",
    """
    def f(x):
        return x * x
""",
    "NotDifferentiable",
    "a float: 3.0",
    (3,),
)
add(
    G,
    "a boolean",
    """
    def f(x):
        return x * 2.0
""",
    "NotDifferentiable",
    "a float",
    (True,),
)
add(
    G,
    "a result that is no scalar",
    """
    def f(x):
        return x * x
""",
    "NotDifferentiable",
    "np.sum(x * x), or rg.jacobian",
    XS,
)
add(
    G,
    "a function without source text",
    """
    names = {}
    exec("def f(x): return x * x", names)
    f = names["f"]
""",
    "SourceUnavailable",
    "a function in a file or a notebook cell",
)
