"""The rules of a distribution's methods, composed from differentials of its standard form.

A continuous family of SciPy is ``loc + scale * U``: what its ``pdf``, ``cdf``, ``ppf`` and the others
have for derivatives follows from two differentials of the standard variable ``U``, that of its log
density (`density`) and that of its tails (`tails`, or `quantile` where that is the simpler one).  A
discrete family has `log_mass`, `mass` and `steps`.  The rules are composed as text, so that they read,
and are checked, like rules written by hand: ``retrograd rules stats.gamma.logpdf`` shows one.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ...book import rule

__all__ = ["density", "log_mass", "mass", "quantile", "steps", "tails"]

Differential = Callable[..., Any]


@dataclass(frozen=True)
class Template:
    """The rule of a method: lines ahead, the terms that are always there, one term for each shape.

    ``D(...)`` is the distribution at its shapes, ``MOVED`` how far ``x`` moves on the standard scale,
    times ``scale``.  ``@`` stands for the name of a shape.
    """

    ahead: str
    terms: tuple[str, ...]
    per_shape: str
    at: str = ""  # the standard variable, if not the plain one


# -- continuous families ------------------------------------------------------------------

MOVED = "(dx - dloc - u * dscale)"
DENSITY = {
    "logpdf": Template("", ("score / scale * MOVED", "-dscale / scale"), "score_@ * d@"),
    "pdf": Template("", ("z * score / scale * MOVED", "-z / scale * dscale"), "z * score_@ * d@"),
}
GUARDED = {  # outside of its support the density stays 0
    "logpdf": Template(
        "",
        (
            "linear.on_support(score / scale, z) * MOVED",
            "-linear.on_support(1 / scale, z) * dscale",
        ),
        "linear.on_support(score_@, z) * d@",
        "u = np.where(z > -np.inf, (x - loc) / scale, INSIDE)",
    ),
    "pdf": Template(
        "",
        ("linear.mul0(z, score / scale) * MOVED", "-z / scale * dscale"),
        "linear.mul0(z, score_@) * d@",
        "u = np.where(z > 0, (x - loc) / scale, INSIDE)",
    ),
}
PDF = "f = D.pdf(x, SHAPES loc, scale)"
LOG = "log_f = D.logpdf(x, SHAPES loc, scale)"
RATE = LOG + "\nrate = linear.hazard(log_f, z)"
AT_QUANTILE = "f = D.pdf(z, SHAPES loc, scale)"
PPF = ("dq / f", "dloc + u * dscale")
ISF = ("-dq / f", "dloc + u * dscale")
TAILS = {
    "cdf": Template(PDF, ("f * MOVED",), "cdf_@ * d@"),
    "sf": Template(PDF, ("-f * MOVED",), "-cdf_@ * d@"),
    "logcdf": Template(
        RATE, ("rate * MOVED",), "cdf_@ * np.exp(-linear.on_support(z, log_f)) * d@"
    ),
    "logsf": Template(
        RATE, ("-rate * MOVED",), "-cdf_@ * np.exp(-linear.on_support(z, log_f)) * d@"
    ),
    "ppf": Template(AT_QUANTILE, PPF, "-cdf_@ / f * d@"),
    "isf": Template(AT_QUANTILE, ISF, "-cdf_@ / f * d@"),
}
WHERE = "u = np.where(f > 0, (x - loc) / scale, INSIDE)"
WHERE_LOG = "u = np.where(log_f > -np.inf, (x - loc) / scale, INSIDE)"
QUANTILE = {
    "cdf": Template(PDF, ("f * MOVED",), "-f * scale * quantile_@ * d@", WHERE),
    "sf": Template(PDF, ("-f * MOVED",), "f * scale * quantile_@ * d@", WHERE),
    "logcdf": Template(RATE, ("rate * MOVED",), "-rate * scale * quantile_@ * d@", WHERE_LOG),
    "logsf": Template(RATE, ("-rate * MOVED",), "rate * scale * quantile_@ * d@", WHERE_LOG),
    "ppf": Template(AT_QUANTILE, PPF, "scale * quantile_@ * d@"),
    "isf": Template(AT_QUANTILE, ISF, "scale * quantile_@ * d@"),
}
Register = Callable[[Differential], Differential]


def density(*families: Any, inside: float | None = None) -> Register:
    """``logpdf`` and ``pdf`` from the differential of the standard log density, in ``u`` and the shapes.

    ``inside``: any point of the support, for a family that has places where the density is 0; the score
    is that of this point there, and unused.  A family without shapes gets all its rules.
    """

    def register(differential: Differential) -> Differential:
        standard = Standard.of(differential, "score")
        standard.enter(families, DENSITY if inside is None else GUARDED, inside)
        if not standard.shapes:
            Standard(standard.space, ("u",), ()).enter(families, TAILS)
        return differential

    return register


def tails(*families: Any) -> Register:
    """``cdf``, ``sf``, their logarithms and inverses from how the standard cdf changes with the shapes."""

    def register(differential: Differential) -> Differential:
        Standard.of(differential, "cdf").enter(families, TAILS)
        return differential

    return register


def quantile(*families: Any, inside: float) -> Register:
    """The same from how a standard quantile ``u`` changes with the shapes."""

    def register(differential: Differential) -> Differential:
        Standard.of(differential, "quantile").enter(families, QUANTILE, inside)
        return differential

    return register


# -- discrete families --------------------------------------------------------------------

LOG_MASS = {"logpmf": Template("", (), "linear.on_support(score_@, z) * d@")}
MASS = {"pmf": Template("", (), "mass_@ * d@")}
BELOW = "j = np.floor(k - loc)"
STEPS = {
    "cdf": Template("", (), "cdf_@ * d@", BELOW),
    "sf": Template("", (), "-cdf_@ * d@", BELOW),
    "logcdf": Template("", (), "linear.div0(cdf_@, np.exp(z)) * d@", BELOW),
    "logsf": Template("", (), "-linear.div0(cdf_@, np.exp(z)) * d@", BELOW),
}


def log_mass(*families: Any) -> Register:
    """``logpmf`` from its differential in the parameters; ``j`` is ``k - loc``."""

    def register(differential: Differential) -> Differential:
        Standard.of(differential, "score").enter(families, LOG_MASS)
        return differential

    return register


def mass(*families: Any) -> Register:
    """``pmf`` from its differential."""

    def register(differential: Differential) -> Differential:
        Standard.of(differential, "mass").enter(families, MASS)
        return differential

    return register


def steps(*families: Any) -> Register:
    """``cdf``, ``sf`` and their logarithms from how the standard cdf changes with the parameters."""

    def register(differential: Differential) -> Differential:
        Standard.of(differential, "cdf").enter(families, STEPS)
        return differential

    return register


# -- texts --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Standard:
    """A differential of a standard form: its parameters, and the lines that compute what it is made of."""

    space: dict[str, Any]
    own: tuple[str, ...]
    lines: tuple[str, ...]
    active: tuple[str, ...] = ()

    @staticmethod
    def of(function: Differential, name: str) -> Standard:
        """The text of a function taken apart; ``name`` is given to what stands before its ``d``s."""
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
        assert isinstance(tree, ast.FunctionDef)
        *before, last = tree.body
        assert isinstance(last, ast.Return) and last.value is not None
        lines = [ast.unparse(s) for s in before if isinstance(s, ast.Assign)]
        for d, factor in factors(last.value).items():
            lines.append(f"{name if d == 'du' else f'{name}_{d[1:]}'} = {ast.unparse(factor)}")
        parameters = inspect.signature(function).parameters.values()
        own = tuple(p.name for p in parameters if p.kind is not p.KEYWORD_ONLY)
        active = tuple(p.name[1:] for p in parameters if p.kind is p.KEYWORD_ONLY)
        return Standard(function.__globals__, own, tuple(lines), active)

    @property
    def shapes(self) -> tuple[str, ...]:
        return self.own[1:]

    def enter(
        self, families: tuple[Any, ...], methods: dict[str, Template], inside: float | None = None
    ) -> None:
        """The rules of these methods, for several families that are the same."""
        for method, template in methods.items():
            operations = [getattr(family, method) for family in families]
            placed = replace(template, at=template.at.replace("INSIDE", str(inside)))
            made = self.function(families[0].name, method, placed)
            rule(*operations, broadcasts=True)(made)

    def function(self, family: str, method: str, template: Template) -> Differential:
        """The differential of one method, a function whose text can be read back."""
        name = f"{family}_{method}"
        text = f"def {name}({self.parameters(method)}):\n{self.body(family, method, template)}\n"
        file = f"<rule of stats.{family}.{method}>"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        made: dict[str, Any] = {"__name__": self.space["__name__"]}
        exec(compile(text, file, "exec"), self.space, made)
        found: Differential = made[name]
        return found

    def parameters(self, method: str) -> str:
        first = self.first(method)
        located = ["loc"] if first == "k" else ["loc", "scale"]
        own = [first, *self.shapes, *(f"{p}={DEFAULTS[p]}" for p in located)]
        moving = self.changing if first == "k" else [first, *self.changing, *located]
        return ", ".join(["z", *own, "*", *(f"d{p}" for p in moving)])

    def first(self, method: str) -> str:
        """The name SciPy gives the first parameter of a method."""
        if self.own[0] == "j":
            return "k"
        return "q" if method in ("ppf", "isf") else "x"

    @property
    def changing(self) -> tuple[str, ...]:
        """The shapes that have a derivative."""
        return tuple(a for a in self.shapes if a in self.active)

    def body(self, family: str, method: str, template: Template) -> str:
        first = self.first(method)
        plain = {"x": "u = (x - loc) / scale", "q": "u = (z - loc) / scale", "k": "j = k - loc"}
        ahead = template.ahead.replace("D.", f"stats.{family}.")
        ahead = ahead.replace("SHAPES ", "".join(f"{a}, " for a in self.shapes))
        terms = [*template.terms, *(template.per_shape.replace("@", a) for a in self.changing)]
        terms = [term.replace("MOVED", MOVED) for term in terms]
        lines = read_by([*ahead.splitlines(), template.at or plain[first], *self.lines], terms)
        return textwrap.indent("\n".join([*lines, returning(terms)]), "    ")


DEFAULTS = {"loc": 0, "scale": 1}


def factors(node: ast.expr) -> dict[str, ast.expr]:
    """The factor before each ``d`` of a sum of products."""
    if isinstance(node, ast.UnaryOp):
        return negated(factors(node.operand))
    assert isinstance(node, ast.BinOp), ast.unparse(node)
    if isinstance(node.op, ast.Mult):
        assert isinstance(node.right, ast.Name), ast.unparse(node)
        return {node.right.id: node.left}
    right = factors(node.right)
    return factors(node.left) | (negated(right) if isinstance(node.op, ast.Sub) else right)


def negated(parts: dict[str, ast.expr]) -> dict[str, ast.expr]:
    return {d: ast.UnaryOp(ast.USub(), factor) for d, factor in parts.items()}


def read_by(lines: list[str], terms: list[str]) -> list[str]:
    """The assignments that the terms need, in their order."""
    kept: list[str] = []
    needed = names_in(" + ".join(terms))
    for line in reversed(lines):
        target, _, value = line.partition(" = ")
        if not needed.isdisjoint(target.split(", ")):
            kept.insert(0, line)
            needed |= names_in(value)
    return kept


def names_in(text: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}


def returning(terms: list[str]) -> str:
    """The return, on several lines where one would be long."""
    first, *more = terms
    signed = [f"- {t[1:]}" if t.startswith("-") else f"+ {t}" for t in more]
    line = " ".join([f"return {first}", *signed])
    if len(line) <= 90:
        return line
    return "\n".join(["return (", f"    {first}", *(f"    {t}" for t in signed), ")"])
