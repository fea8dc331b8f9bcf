"""Functions of a kernel that call themselves, in C: calls, records, and whose memory is whose.

A function says 1 if the kernel is to be left.  Memory of its own is given back when it ends, but for the arrays that it
hands over; records stay until the kernel ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..loop_ir.calls import Call, Ends, Keep
from ..loop_ir.ir import Point

__all__ = ["FRAMES", "call", "ends", "pointed", "record"]

FRAMES = r"""
/* A call of a function that calls itself: how deep it is, and the records of all calls. */
typedef struct rg_block { struct rg_block *before; size_t used, size; } rg_block_t;
typedef struct {
    rg_state_t *state;
    int64_t fuel;
    int depth;
    size_t held;
    rg_block_t *records;
} rg_frame_t;
#define RG_RECORDS ((size_t)1 << 32)
/* What is written there is read by whoever is given its room, of which compilers know nothing. */
#define RG_SEEN(p) __asm__ volatile("" : : "r"(p) : "memory")

static void *rg_record(rg_frame_t *rg, size_t size)
{
    rg_block_t *block = rg->records;
    size = (size + 15) & ~(size_t)15;
    if (!block || block->size - block->used < size) {
        size_t room = block ? 2 * block->size : 4000;
        if (room > ((size_t)1 << 24)) room = (size_t)1 << 24;
        if (room < size) room = size;
        if (rg->held + room > RG_RECORDS) return 0;
        block = malloc(sizeof *block + 16 + room);
        if (!block) return 0;
        *block = (rg_block_t){rg->records, 0, room};
        rg->records = block;
        rg->held += room;
    }
    block->used += size;
    return (char *)block + ((sizeof *block + 15) & ~(size_t)15) + block->used - size;
}

static void rg_forget(rg_frame_t *rg)
{
    for (rg_block_t *block = rg->records, *before; block; block = before) {
        before = block->before;
        free(block);
    }
    rg->records = 0;
}

"""

Expression = Callable[[Any], str]


def call(stmt: Call, expression: Expression) -> Iterator[str]:
    given = [b.name for b in stmt.memory[:2]]
    given += [expression(e) for e in stmt.values]
    given += [b.name for b in stmt.memory[2:]]
    yield f"if (RG_RARE({stmt.function.name}(RG_FRAME, {', '.join(given)}))) goto bail;"


def record(stmt: Keep, expression: Expression) -> Iterator[str]:
    words, floats = stmt.parts()
    sizes = [1 if word is None else 1 + word[0] for word in stmt.words]
    total = sum(sizes)
    yield "{"
    yield f"    int64_t *rg_r = rg_record(RG_FRAME, {8 * (total + len(floats))});"
    yield "    if (!rg_r) goto bail;"
    at = 0
    memory = iter(stmt.memory[1:])
    for word, values, size in zip(stmt.words, words, sizes, strict=True):
        if word is None:
            yield f"    rg_r[{at}] = {expression(values[0])};"
        else:
            buffer = next(memory)
            text = buffer.name
            if word[1]:
                count = f"rg_size({expression(values[1])}) * sizeof *{buffer.name}"
                yield f"    void *rg_a{at} = rg_record(RG_FRAME, {count});"
                yield f"    if (!rg_a{at}) goto bail;"
                yield f"    memcpy(rg_a{at}, {buffer.name}, {count});"
                text = f"rg_a{at}"
            yield f"    rg_r[{at}] = (int64_t)(intptr_t){text};"
            for k, n in enumerate(values[2:]):
                yield f"    rg_r[{at + 1 + k}] = {expression(n)};"
        at += size
    for k, e in enumerate(floats):
        yield f"    ((double *)rg_r)[{total + k}] = {expression(e)};"
    yield f"    {stmt.memory[0].name}[0] = (int64_t)(intptr_t)rg_r;"
    yield "}"


def ends(stmt: Ends, expression: Expression) -> Iterator[str]:
    yield "if (RG_RARE(overflow)) goto bail;"
    numbers, floats = stmt.values[: len(stmt.places)], stmt.values[len(stmt.places) :]
    for place, e in zip(stmt.places, numbers, strict=True):
        yield f"rg_out[{place}] = {expression(e)};"
    for k, e in enumerate(floats):
        yield f"rg_floats[{k}] = {expression(e)};"
    for place, buffer in stmt.handed:
        yield f"RG_SEEN({buffer.name});"
        yield f"rg_out[{place}] = (int64_t)(intptr_t)room[{buffer.room}];"
        yield f"rg_out[{place + 1}] = (int64_t)cap[{buffer.room}];"
        yield f"room[{buffer.room}] = 0;"
    yield "left = 0;"
    yield "goto bail;"


def pointed(stmt: Point, expression: Expression) -> Iterator[str]:
    buffer = stmt.buffer
    address = f"(void *)(intptr_t){expression(stmt.address)}"
    if stmt.size is None:
        yield f"{buffer.name} = {address};"
        return
    k = buffer.room
    yield f"rg_drop(room[{k}], cap[{k}]);"
    yield f"room[{k}] = {address};"
    yield f"cap[{k}] = {expression(stmt.size)};"
    yield f"{buffer.name} = (void *)((char *)room[{k}] + (-(uintptr_t)room[{k}] & 63));"
