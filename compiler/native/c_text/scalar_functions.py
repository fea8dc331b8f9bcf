"""The functions of numbers that are no operators, as texts of C's family.

``{T}`` is a type of numbers, ``{f}`` the letter with which a function of the C library takes it.
"""

from __future__ import annotations

__all__ = ["FLOATS", "INTEGERS", "defined"]

# parameters, type of the result, body
FLOATS = {
    "square": ("x", "{T}", "return x * x;"),
    "cube": ("x", "{T}", "return x * x * x;"),
    "fourth": ("x", "{T}", "{T} y = x * x; return y * y;"),
    "absolute": ("x", "{T}", "return fabs{f}(x);"),
    "fabs": ("x", "{T}", "return fabs{f}(x);"),
    "sqrt": ("x", "{T}", "return sqrt{f}(x);"),
    "floor": ("x", "{T}", "return floor{f}(x);"),
    "ceil": ("x", "{T}", "return ceil{f}(x);"),
    "rint": ("x", "{T}", "return rint{f}(x);"),
    "trunc": ("x", "{T}", "return trunc{f}(x);"),
    "copysign": ("x y", "{T}", "return copysign{f}(x, y);"),
    "signbit": ("x", "int", "return signbit(x) != 0;"),
    "maximum": ("a b", "{T}", "return (a >= b || a != a) ? a : b;"),
    "minimum": ("a b", "{T}", "return (a <= b || a != a) ? a : b;"),
    "fmax": ("a b", "{T}", "return (a >= b || b != b) ? a : b;"),
    "fmin": ("a b", "{T}", "return (a <= b || b != b) ? a : b;"),
    "sign": ("x", "{T}", "return x > 0 ? 1 : x < 0 ? -1 : x == 0 ? 0 : x;"),
    "isnan": ("x", "int", "return x != x;"),
    "isinf": ("x", "int", "return fabs{f}(x) == ({T})INFINITY;"),
    "isfinite": ("x", "int", "return x - x == 0;"),
    "gamma": ("x", "{T}", "return tgamma{f}(x);"),
    "gammaln": ("x", "{T}", "return lgamma{f}(x);"),
    # reflected, moved up until the series of Stirling's kind is exact
    "digamma": (
        "x",
        "{T}",
        """double z = x, sum = 0;
    if (z == 0) return ({T})copysign(INFINITY, -z);
    if (z < 0) {
        double part = z - floor(z);
        if (part == 0) return ({T})NAN;
        sum = -3.141592653589793 / tan(3.141592653589793 * part);
        z = 1 - z;
    }
    for (; z < 10; z++) sum -= 1 / z;
    double y = z < 1e17 ? 1 / (z * z) : 0;
    sum += log(z) - 0.5 / z - y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240
        - y * (1.0 / 132 - y * (691.0 / 32760 - y / 12))))));
    return ({T})sum;""",
    ),
    "trigamma": (
        "x",
        "{T}",
        """double z = x, sum = 0, sign = 1;
    if (z == floor(z) && z <= 0) return ({T})INFINITY;
    if (z < 0) {
        double s = sin(3.141592653589793 * (z - floor(z)));
        sum = 9.869604401089358 / (s * s);
        z = 1 - z;
        sign = -1;
    }
    for (; z < 12; z++) sum += sign / (z * z);
    double y = 1 / (z * z);
    sum += sign * (1 / z + 0.5 * y + y / z * (1.0 / 6 - y * (1.0 / 30 - y * (1.0 / 42 - y * (1.0 / 30
        - y * (5.0 / 66 - y * (691.0 / 2730 - y * 7 / 6)))))));
    return ({T})sum;""",
    ),
    "remainder": (
        "a b",
        "{T}",
        """{T} m = fmod{f}(a, b);
    if (b == 0) return m;
    if (m != 0) { if ((b < 0) != (m < 0)) m += b; }
    else m = copysign{f}(0, b);
    return m;""",
    ),
    "floor_divide": (
        "a b",
        "{T}",
        """if (b == 0) return a / b;
    {T} m = fmod{f}(a, b), d = (a - m) / b;
    if (m != 0 && (b < 0) != (m < 0)) d -= 1;
    if (d == 0) return copysign{f}(0, a / b);
    {T} f = floor{f}(d);
    return d - f > ({T})0.5 ? f + 1 : f;""",
    ),
}
INTEGERS = {
    "square": ("x", "{T}", "return x * x;"),
    "absolute": ("x", "{T}", "return x < 0 ? -x : x;"),
    "maximum": ("a b", "{T}", "return a >= b ? a : b;"),
    "minimum": ("a b", "{T}", "return a <= b ? a : b;"),
    "sign": ("x", "{T}", "return (x > 0) - (x < 0);"),
    "isfinite": ("x", "int", "return 1;"),
    "wrap": ("k n", "{T}", "return k < 0 ? k + n : k;"),
    "ipow": (
        "k n",
        "{T}",
        """if (k * k <= 1) return n == 0 || k == 1 ? 1 : n % 2 ? k : k * k;
    {T} p = 1;
    for (; n > 0 && p > -INT32_MAX && p < INT32_MAX; n--) p *= k;
    return p;""",
    ),
    "floor_divide": ("a b", "{T}", "{T} q = a / b; return q - (a % b != 0 && (a < 0) != (b < 0));"),
    "remainder": ("a b", "{T}", "{T} m = a % b; return m && (m < 0) != (b < 0) ? m + b : m;"),
}


def defined(name: str, dtype: str, types: dict[str, str], called: str, inline: str) -> str:
    """The definition of a function for numbers of a dtype, under the name ``called``.

    >>> defined("square", "f4", {"f4": "float"}, "square", "static inline")
    'static inline float square(float x) { return x * x; }'
    """
    parameters, result, body = (FLOATS if dtype[0] == "f" else INTEGERS)[name]
    kind, letter = types[dtype], "f" if dtype == "f4" else ""
    head = ", ".join(f"{kind} {one}" for one in parameters.split())
    text = body.replace("{T}", kind).replace("{f}", letter)
    inner = f"\n{{\n    {text}\n}}" if "\n" in text else f" {{ {text} }}"
    return f"{inline} {result.replace('{T}', kind)} {called}({head}){inner}"
