"""Small random programs that are complex inside: real in, real out, and both kinds mixed on the way.

They are those of ``plain`` with complex values: a name may hold a real number or array first and a complex one
later, in loops, branches, calls, dicts and objects; real and imaginary parts and moduli are taken anywhere.
"""

from __future__ import annotations

from .plain import HEAD, Plain
from .plain import UNARY as PLAIN_UNARY

__all__ = ["program"]

UNARY = (
    "np.sin({})", "np.exp(1j * {})", "-{}", "{} * 1j", "np.conj({})", "np.real({})", "({}.imag + 0.5)", "{}.real",
    "np.abs({})", "({0} * {0} + 1)", "{}.conjugate()",
)  # fmt: skip
BINARY = ("{} + {}", "{} + {}", "{} - {}", "{} * {}", "{} * np.conj({})", "({} + 1j * {})")
BEGIN = {
    "vector": ("{0} = {0} + 1j * {0}[::-1]", "{0} = {0} * (0.5 - 1j)", "{0} = {0}.astype(complex) * 1j"),
    "number": ("{0} = complex({0}, 0.3)", "{0} = {0} * (0.5 - 1j)", "{0} = {0} + 0j"),
}  # fmt: skip
SIZE = """def size(a):
    return np.sum(a).real


def mixed("""


class Complexes(Plain):
    """One program: a test is of a real part, and the result is a real function of a complex number."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        added = set(self.unary) - set(PLAIN_UNARY)
        self.unary = (*UNARY, *sorted(added))
        self.binary = (*BINARY, "{} @ {}") if self.kind == "matrix" else BINARY
        forms = BEGIN.get(self.kind, BEGIN["vector"])
        for name in self.known:
            if self.rng.random() < 0.6:
                self.add(1, self.rng.choice(forms).format(name))

    def text(self) -> str:
        body = super().text().removeprefix(HEAD.partition("{signature}")[0])
        head = HEAD.partition("{signature}")[0].replace("def mixed(", SIZE)
        whole = head + body.replace("    return np.sum(", "    out = np.sum(", 1)
        whole = whole.replace("if np.sum(", "if size(").replace("np.sum(a) > 0.3", "size(a) > 0.3")
        whole = whole.replace(" + 0.0\n", " + 0j\n")
        end = "    return out.real + 0.5 * out.imag + 0.1 * np.abs(out)\n"
        return whole.replace("\n\nARGS", f"\n{end}\n\nARGS", 1)


def program(seed: int) -> str:
    """The text of one program."""
    return Complexes(seed).text()
