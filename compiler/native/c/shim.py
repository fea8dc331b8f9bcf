"""The C around a kernel: Python's arguments in, results out, without Python's headers.

What a call needs of CPython and NumPy is declared here: their exported functions, the head of
``PyArrayObject`` (stable since NumPy 1), and three entries of NumPy's table of functions.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from ..c_text.complex_functions import COMPLEX
from ..c_text.scalar_functions import FLOATS, INTEGERS, defined
from ..loop_ir.ir import Affine, Buffer, Kernel, Var
from ..loop_ir.storage import TYPES, rooms
from ..loop_ir.values import Constant, Items, Scalar, View
from ..passes.interrupt_polls import held_arrays, may_let_go
from ..refusal import Unsupported
from .argument_writes import OVERLAP, apart, handed_back
from .choices import SELECTIONS
from .fourier import fourier_texts
from .gil_release import LOCK
from .lapack import factorisation_texts
from .own_guards import HOLDS, layout
from .printer import STORED, body_text, expression, part_functions
from .recursive_functions import given_back, recursive_functions
from .toolchain import OWN

__all__ = ["module_text"]

PREAMBLE = r"""
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Exits are many: were each one in ten, compilers would take the loops behind them for cold. */
#if defined __GNUC__ && __GNUC__ >= 9 || defined __clang__ && __clang_major__ >= 11
#define RG_RARE(x) __builtin_expect_with_probability(!!(x), 0, 0.99999)
#else
#define RG_RARE(x) __builtin_expect(!!(x), 0)
#endif
#define RG_LIBRARY 20000.0
#define RG_LARGE ((size_t)1 << 20)

typedef struct rg_object rg_object;
struct rg_object { char head[RG_HEAD]; };
typedef struct {
    char head[RG_HEAD];
    char *data;
    int nd;
    int64_t *dims;
    int64_t *strides;
    rg_object *base;
    rg_object *descr;
    int flags;
} rg_array;

extern rg_object *PyFloat_FromDouble(double);
extern rg_object *PyComplex_FromDoubles(double, double);
extern double PyComplex_RealAsDouble(rg_object *), PyComplex_ImagAsDouble(rg_object *);
extern rg_object *PyLong_FromLongLong(long long);
extern long long PyLong_AsLongLongAndOverflow(rg_object *, int *);
extern rg_object *PyBool_FromLong(long);
extern rg_object *PyTuple_New(intptr_t), *PyList_New(intptr_t);
extern rg_object *PyDict_New(void);
extern int PyDict_SetItemString(rg_object *, const char *, rg_object *);
extern int PyDict_Next(rg_object *, intptr_t *, rg_object **, rg_object **);
extern rg_object *PyDict_GetItemWithError(rg_object *, rg_object *);
extern const char *PyUnicode_AsUTF8(rg_object *);
extern intptr_t PyDict_Size(rg_object *);
extern rg_object *PyObject_Vectorcall(rg_object *, rg_object *const *, size_t, rg_object *);
extern void Py_IncRef(rg_object *);
extern void Py_DecRef(rg_object *);
extern void PyErr_Clear(void);
extern rg_object *PyErr_Occurred(void);
extern int PyErr_CheckSignals(void);
extern void *PyEval_SaveThread(void);
extern void PyEval_RestoreThread(void *);
extern rg_object PyFloat_Type, PyLong_Type, PyBool_Type, PyTuple_Type, PyList_Type, PyDict_Type,
    PyUnicode_Type, PyComplex_Type;
extern rg_object _Py_NoneStruct, _Py_TrueStruct;

static void **rg_numpy;
typedef void (*rg_dgemm_t)(int, int, int, int64_t, int64_t, int64_t, double, const double *, int64_t,
                           const double *, int64_t, double, double *, int64_t);
typedef void (*rg_sgemm_t)(int, int, int, int64_t, int64_t, int64_t, float, const float *, int64_t,
                           const float *, int64_t, float, float *, int64_t);
static rg_dgemm_t rg_dgemm;
static rg_sgemm_t rg_sgemm;

#define RG_TYPE(x) (*(rg_object **)((char *)(x) + RG_HEAD - sizeof(void *)))
#define RG_SIZE(x) (*(intptr_t *)((char *)(x) + RG_HEAD)) /* of a tuple or a list */
#define RG_ITEM(tuple, k) (((rg_object **)((char *)(tuple) + RG_TUPLE))[k])
#define RG_LIST_ITEM(list, k) ((*(rg_object ***)((char *)(list) + RG_HEAD + sizeof(intptr_t)))[k])
#define RG_WORDS(bytes) ((uint64_t *)((char *)(bytes) + RG_BYTES))
#define RG_DOUBLE(x) (*(double *)((char *)(x) + RG_HEAD))
#define RG_ARRAY_TYPE ((rg_object *)rg_numpy[2])
#define RG_DESCR(number) (((rg_object *(*)(int))rg_numpy[45])(number))
#define RG_SCALAR(pointer, descr) \
    (((rg_object *(*)(void *, rg_object *, rg_object *))rg_numpy[60])(pointer, descr, 0))
#define RG_EMPTY(nd, dims, descr) \
    (((rg_object *(*)(int, int64_t *, rg_object *, int))rg_numpy[184])(nd, dims, descr, 0))

typedef void (*rg_run_t)(void *given, int64_t part);
typedef struct {
    void (*pool)(rg_run_t run, void *given, int64_t parts, int threads);
    void *(*take)(size_t size);
    void (*give)(void *start);
    rg_object *(*array)(int nd, int64_t *shape, rg_object *descr);
} rg_service_t;
static void (*rg_find)(const rg_service_t **); /* what all kernels share; there may be none */
static const int *rg_threads;
static void *const *rg_lapack; /* addresses of NumPy's factorisations */
static rg_object *rg_descr[16];
void rg_setup(void **numpy, void *dgemm, void *sgemm, void *find, const int *threads, void *const *lapack)
{
    rg_lapack = lapack;
    rg_find = (void (*)(const rg_service_t **))find;
    rg_threads = threads;
    rg_numpy = numpy;
    rg_dgemm = (rg_dgemm_t)dgemm;
    rg_sgemm = (rg_sgemm_t)sgemm;
    for (int k = 0; k < 16; k++)
        rg_descr[k] = RG_DESCR(k);
}

/* It is asked for once, and whoever ends first decides: what a call takes from it goes back to it. */
#define RG_UNKNOWN ((const rg_service_t *)1)
static __attribute__((noinline)) const rg_service_t *rg_service(void)
{
    static const rg_service_t *service = RG_UNKNOWN;
    const rg_service_t *known = __atomic_load_n(&service, __ATOMIC_ACQUIRE), *found = 0;
    if (known != RG_UNKNOWN) return known;
    if (rg_find) rg_find(&found);
    known = RG_UNKNOWN;
    if (__atomic_compare_exchange_n(&service, &known, found, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return found;
    return known;
}

static rg_object *rg_number(void *value, int number)
{
    return RG_SCALAR(value, rg_descr[number]);
}

static int rg_is_array(rg_object *x, int number, int nd)
{
    rg_array *a = (rg_array *)x;
    return RG_TYPE(x) == RG_ARRAY_TYPE && a->descr == rg_descr[number] && a->nd == nd
        && (a->flags & 0x101) == 0x101; /* C order, aligned */
}

RG_LOCK_TEXT
RG_WRITES_TEXT
/* Run all parts of a loop, on several threads if there are. */
static inline void rg_share(rg_run_t run, void *given, int64_t parts)
{
    if (rg_service()) rg_service()->pool(run, given, parts, *rg_threads);
    else for (int64_t k = 0; k < parts; k++) run(given, k);
}

/* Memory for a kernel; of large blocks the store has some. */
static __attribute__((malloc, noinline)) void *rg_hold(size_t size)
{
    return size < RG_LARGE || !rg_service() ? malloc(size + 64) : rg_service()->take(size);
}

static inline void rg_drop(void *room, size_t size)
{
    if (size < RG_LARGE || !rg_service()) free(room);
    else rg_service()->give(room);
}

static inline rg_object *rg_empty(int nd, int64_t *shape, rg_object *descr, size_t size)
{
    Py_IncRef(descr);
    for (int k = 0; k < nd; k++) size *= shape[k];
    if (size < RG_LARGE || !rg_service()) return RG_EMPTY(nd, shape, descr);
    return rg_service()->array(nd, shape, descr);
}

static inline int64_t rg_imul(int64_t a, int64_t b, int *overflow)
{
    int64_t c;
    *overflow |= __builtin_mul_overflow(a, b, &c);
    return c;
}

/* The room of `p` is as large as it was needed once.  It is in memory: in variables, all of them would meet at each
   exit, which takes a compiler long.  The address is that of a cache line. */
static __attribute__((noinline, malloc, assume_aligned(64))) void *rg_room(void **room, size_t *cap, size_t size)
{
    rg_drop(*room, *cap);
    *cap = size;
    *room = rg_hold(size);
    return *room ? (void *)((char *)*room + (-(uintptr_t)*room & 63)) : 0;
}
#define RG_ROOM(p, k, bytes)                                            \
    do {                                                                \
        size_t rg_need = (bytes);                                       \
        if (RG_RARE(rg_need >= cap[k])) {                               \
            p = rg_room(&room[k], &cap[k], rg_need + 1);                \
            if (RG_RARE(!p)) goto bail;                                 \
        }                                                               \
    } while (0)

/* More room for what stands at ``p``: at first on the stack, and not in ``room``. */
static __attribute__((noinline, cold)) void *rg_more(void *p, void **room, size_t *cap, size_t need)
{
    size_t more = 2 * need + 16384;
    int moves = more >= RG_LARGE;
    void *made = moves ? rg_hold(more) : realloc(*room, more);
    if (!made) return 0;
    if (moves || !*room) memcpy(made, p, *cap);
    if (moves) rg_drop(*room, *cap);
    *cap = more;
    return *room = made;
}
#define RG_RESERVE(p, k, bytes)                                         \
    do {                                                                \
        size_t rg_need = (bytes);                                       \
        if (RG_RARE(rg_need > cap[k])) {                                \
            void *rg_new = rg_more(p, &room[k], &cap[k], rg_need);      \
            if (RG_RARE(!rg_new)) goto bail;                            \
            p = rg_new;                                                 \
        }                                                               \
    } while (0)
#define RG_RESULT(p, k, number, nd, ...)                                \
    do {                                                                \
        int64_t rg_shape[] = {__VA_ARGS__};                             \
        rg_take_back(&rg_state);                                        \
        made[k] = rg_empty(nd, rg_shape, rg_descr[number], sizeof *p);  \
        if (RG_RARE(!made[k])) goto bail;                               \
        p = (void *)((rg_array *)made[k])->data;                        \
    } while (0)

"""

FUNCTIONS = (
    COMPLEX
    + "\n".join(
        defined(name, dtype, TYPES, f"rg_{name}_{dtype}", "static inline")
        for dtype, table in (("f8", FLOATS), ("f4", FLOATS), ("i8", INTEGERS))
        for name in table
    )
    + "\n"
    + SELECTIONS
)

KINDS = {"f8": 12, "f4": 11, "i8": 7, "b1": 0, "c16": 15}
ITEM = {"tuple": "RG_ITEM", "list": "RG_LIST_ITEM"}
SCALARS = {"f8": 31, "f4": 30, "i8": 23, "b1": 8, "c16": 34}  # their types in NumPy's table


def module_text(kernel: Kernel, math_text: str) -> str:
    """The C file of a kernel."""
    n, holds = len(rooms(kernel)), held_arrays(kernel)
    body = body_text(kernel)
    packing = Packing(kernel)
    result = packing.pack(kernel.results)
    lines = [
        layout(),
        PREAMBLE.replace("RG_LOCK_TEXT\n", LOCK).replace("RG_WRITES_TEXT\n", OVERLAP * bool(kernel.written)),
        HOLDS, FUNCTIONS, math_text, OWN, *factorisation_texts(kernel), *fourier_texts(kernel), *recursive_functions(kernel),
        *part_functions(kernel.body),
        "rg_object *rg_entry(rg_object *self, rg_object *const *args, intptr_t nargs)",
        "{",
        "    rg_object *rg_table = *(rg_object **)((char *)RG_ITEM(self, 1) + RG_HEAD);",
        "    if (rg_table && !rg_holds(rg_table)) {",
        "        rg_object *miss = rg_read_again(rg_table), *instead;",
        "        if (miss) return instead = PyObject_Vectorcall(miss, args, nargs, 0), Py_DecRef(miss), instead;",
        "    }",
        f"    void *room[{max(n, 1)}] = {{0}};",
        f"    size_t cap[{max(n, 1)}] = {{0}};",
        f"    rg_object *made[{max(n, 1)}] = {{0}};",
        "    rg_object *result = 0;",
        "    int overflow = 0;",
        "    int64_t rg_fuel = RG_FUEL;",
        f"    rg_object *held[{max(holds, 1)}] = {{0}};",
        f"    rg_state_t rg_state = {{.held = held, .holds = {holds}, .stays = {int(not may_let_go(kernel))}}};",
        *(["    rg_frame_t rg_frame = {.state = &rg_state, .fuel = RG_FUEL};"] if kernel.functions else []),
        f"    if (nargs != {len(kernel.params) - len(kernel.captured)}) goto bail;",
        *unpacking(kernel), *apart(kernel), *body,
        "    if (RG_RARE(overflow)) goto bail;",
        "    rg_take_back(&rg_state);",
        *handed_back(kernel),
        *packing.lines, f"    result = {result};",
        "bail:",
        "    rg_take_back(&rg_state);",
        *given_back(kernel), *(["    rg_forget(&rg_frame);"] if kernel.functions else []),
        *(["    if (RG_RARE(rg_state.counted)) for (int k = 0; k < rg_state.holds; k++) Py_DecRef(held[k]);"] * (holds > 0)),
        "    if (RG_RARE(rg_state.stopped)) return 0;",
        "    if (RG_RARE(!result)) {",
        "        PyErr_Clear();",
        "        return PyObject_Vectorcall(RG_ITEM(self, 0), args, nargs, 0);",
        "    }",
        "    return result;", "}", "",
    ]  # fmt: skip
    return "\n".join(lines)


def unpacking(kernel: Kernel) -> list[str]:
    """Test the arguments, and name what is in them."""
    lines: list[str] = []
    given = len(kernel.params) - len(kernel.captured)
    held = itertools.count()
    for k, param in enumerate(kernel.params):
        text = f"args[{k}]" if k < given else f"RG_ITEM(self, {k - given + 2})"
        lines += taken(param, text, f"a{k}", held)
    return lines


def taken(param: Any, text: str, name: str, held: Iterator[int]) -> list[str]:
    """``held``: numbers for the arrays of containers."""
    if isinstance(param, Items):
        return container(param, text, name, held)
    if isinstance(param, Constant):
        if param.value is None:
            return [f"    if ({text} != &_Py_NoneStruct) goto bail;"]
        raise Unsupported(f"an argument that is {param.value!r}")
    if isinstance(param, View):
        assert param.buffer is not None
        return array(param.buffer, text)
    assert isinstance(param, Scalar)
    return number(param, text)


def container(param: Items, text: str, name: str, held: Iterator[int]) -> list[str]:
    kind = {"tuple": "PyTuple", "list": "PyList", "dict": "PyDict"}[param.kind]
    size = f"PyDict_Size({name})" if param.kind == "dict" else f"RG_SIZE({name})"
    lines = [
        f"    rg_object *{name} = {text};",
        f"    if (RG_TYPE({name}) != &{kind}_Type || {size} != {len(param.values)}) goto bail;",
    ]
    if param.keys is not None:
        lines.append(f"    intptr_t {name}_at = 0;")
    for k, value in enumerate(param.values):
        inner = f"{name}_{k}"
        if param.keys is None:
            lines.append(f"    rg_object *{inner}_item = {ITEM[param.kind]}({name}, {k});")
        else:
            lines += next_item(name, inner, param.keys[k])
        lines += taken(value, f"{inner}_item", inner, held)
        if isinstance(value, View):
            lines.append(f"    held[{next(held)}] = {inner}_item;")
    return lines


def next_item(name: str, inner: str, key: Any) -> list[str]:
    """The next item of a dict, whose order its loops go by: its key must be this one."""
    if not (isinstance(key, str) and key.isidentifier()):
        raise Unsupported("a dict whose keys are no names")
    return [
        f"    rg_object *{inner}_key, *{inner}_item;",
        f"    if (!PyDict_Next({name}, &{name}_at, &{inner}_key, &{inner}_item)) goto bail;",
        f'    if (RG_TYPE({inner}_key) != &PyUnicode_Type || strcmp(PyUnicode_AsUTF8({inner}_key), "{key}"))'
        " goto bail;",
    ]


def array(buffer: Buffer, text: str) -> list[str]:
    lines = [f"    if (!rg_is_array({text}, {KINDS[buffer.dtype]}, {len(buffer.dims)})) goto bail;"]
    lines.append(f"    rg_array *const {buffer.name}_object = (void *){text};")
    for k, n in enumerate(buffer.dims):
        size = f"{buffer.name}_object->dims[{k}]"
        n = n.terms[0][0] if isinstance(n, Affine) and n.terms else n
        if isinstance(n, Var):
            lines.append(f"    const int64_t {n.name} = {size};")
            lines.append(f"    if (RG_RARE({n.name} == 1)) goto bail;")
        else:
            lines.append(f"    if ({size} != {expression(n)}) goto bail;")
    kind = STORED[buffer.dtype]
    lines.append(f"    const {kind} *{buffer.name} = (void *){buffer.name}_object->data;")
    return lines


def number(param: Scalar, text: str) -> list[str]:
    var = param.expr
    assert isinstance(var, (Var, Affine))
    if isinstance(var, Affine):
        var = var.terms[0][0]
    if not param.weak:
        return numpy_number(var, text)
    if var.dtype == "f8":
        return [
            f"    if (RG_TYPE({text}) != &PyFloat_Type) goto bail;",
            f"    const double {var.name} = RG_DOUBLE({text});",
        ]
    if var.dtype == "c16":
        parts = ", ".join(f"PyComplex_{p}AsDouble({text})" for p in ("Real", "Imag"))
        return [
            f"    if (RG_TYPE({text}) != &PyComplex_Type) goto bail;",
            f"    const double complex {var.name} = rg_complex({parts});",
        ]
    if var.dtype == "b1":
        return [
            f"    if (RG_TYPE({text}) != &PyBool_Type) goto bail;",
            f"    const int {var.name} = {text} == &_Py_TrueStruct;",
        ]
    return [
        f"    if (RG_TYPE({text}) != &PyLong_Type) goto bail;",
        f"    int {var.name}_over;",
        f"    const int64_t {var.name} = PyLong_AsLongLongAndOverflow({text}, &{var.name}_over);",
        f"    if ({var.name}_over || {var.name} > INT32_MAX || {var.name} < INT32_MIN) goto bail;",
    ]


def numpy_number(var: Var, text: str) -> list[str]:
    """A NumPy scalar: its value stands behind its head."""
    kind = STORED[var.dtype]
    lines = [
        f"    if (RG_TYPE({text}) != (rg_object *)rg_numpy[{SCALARS[var.dtype]}]) goto bail;",
        f"    const {TYPES[var.dtype]} {var.name} = *({kind} *)((char *){text} + RG_HEAD);",
    ]
    if var.dtype == "i8":
        lines.append(f"    if ({var.name} > INT32_MAX || {var.name} < INT32_MIN) goto bail;")
    return lines


class Packing:
    """The statements that make Python objects of the results."""

    def __init__(self, kernel: Kernel) -> None:
        self.lines: list[str] = []
        self.count = 0
        self.given: set[int] = set()

    def name(self) -> str:
        self.count += 1
        return f"py_{self.count}"

    def pack(self, value: Any) -> str:
        name = self.name()
        add = self.lines.append
        if isinstance(value, View):
            assert value.buffer is not None
            add(f"    rg_object *{name} = made[{value.buffer.room}];")
            add(f"    Py_IncRef({name});")
        elif isinstance(value, Scalar):
            add(f"    rg_object *{name} = {self.number(value, name)};")
        elif isinstance(value, Constant) and value.value is None:
            add(f"    rg_object *{name} = &_Py_NoneStruct;")
            add(f"    Py_IncRef({name});")
        elif isinstance(value, Items):
            self.container(value, name)
        else:
            raise Unsupported("such a result")
        return name

    def number(self, value: Scalar, name: str) -> str:
        text = expression(value.expr)
        python = {
            "f8": f"PyFloat_FromDouble({text})",
            "i8": f"PyLong_FromLongLong({text})",
            "b1": f"PyBool_FromLong({text})",
            "c16": f"PyComplex_FromDoubles(creal({text}), cimag({text}))",
        }.get(value.dtype, "")
        if value.weak is True:
            return python
        self.lines.append(f"    {STORED[value.dtype]} {name}_value = {text};")
        numpy = f"rg_number(&{name}_value, {KINDS[value.dtype]})"
        return f"{expression(value.weak)} ? {python} : {numpy}" if value.mixed else numpy

    def container(self, value: Items, name: str) -> None:
        inner = [self.pack(v) for v in value.values]
        add = self.lines.append
        if value.kind == "dict":
            assert value.keys is not None
            add(f"    rg_object *{name} = PyDict_New();")
            for key, item in zip(value.keys, inner, strict=True):
                if not isinstance(key, str) or not key.isidentifier():
                    raise Unsupported("a dict whose keys are no names")
                add(f'    PyDict_SetItemString({name}, "{key}", {item});')
                add(f"    Py_DecRef({item});")
            return
        kind = {"tuple": "PyTuple", "list": "PyList"}[value.kind]
        add(f"    rg_object *{name} = {kind}_New({len(inner)});")
        add(f"    if (RG_RARE(!{name})) goto bail;")
        for k, item in enumerate(inner):
            add(f"    {ITEM[value.kind]}({name}, {k}) = {item};")
