"""The memory of C kernels: that of large arrays which nobody holds any more is kept for the next ones.

Memory that comes from the system has to be cleared page by page, which takes longer than most kernels need to
write to it.  All kernels of a process share one store; arrays are NumPy's, with a handler of their own.
"""

from __future__ import annotations

__all__ = ["STORE"]

STORE = r"""
#define RG_LARGE ((size_t)1 << 20)
#define RG_BLOCKS 64
typedef struct {
    int64_t lock, kept, most, oldest;
    struct { char *start; int64_t size; } block[RG_BLOCKS];
} rg_store_t;
static rg_store_t *rg_store;

/* The size of a block stands before it, and where it was allocated. */
static inline size_t rg_block_size(void *block) { return ((size_t *)block)[-1]; }
static inline void rg_block_free(void *block) { free(((void **)block)[-2]); }
static inline void rg_lock(void) { while (__atomic_exchange_n(&rg_store->lock, 1, __ATOMIC_ACQUIRE)) ; }
static inline void rg_unlock(void) { __atomic_store_n(&rg_store->lock, 0, __ATOMIC_RELEASE); }

static void *rg_found(size_t need)
{
    void *found = 0;
    int best = -1;
    rg_lock();
    for (int k = 0; k < RG_BLOCKS; k++) {
        size_t size = rg_store->block[k].size;
        if (rg_store->block[k].start && size >= need && size <= need + need / 4
            && (best < 0 || (int64_t)size < rg_store->block[best].size))
            best = k;
    }
    if (best >= 0) {
        found = rg_store->block[best].start;
        rg_store->kept -= rg_store->block[best].size;
        rg_store->block[best].start = 0;
    }
    rg_unlock();
    return found;
}

/* Memory that begins a cache line; an integer in between would hide whose it is. */
static __attribute__((malloc, noinline)) void *rg_take(size_t need)
{
    void *found = need >= RG_LARGE ? rg_found(need) : 0;
    if (found) return found;
    char *raw = malloc(need + 128);
    if (!raw) return 0;
    char *block = raw + 64 + (-(uintptr_t)raw & 63);
    ((size_t *)block)[-1] = need;
    ((void **)block)[-2] = raw;
#ifdef __linux__
    if (need >= 4 * RG_LARGE)
        madvise(raw + (-(uintptr_t)raw & 4095), need & ~(size_t)4095, 14); /* MADV_HUGEPAGE */
#endif
    return block;
}

static void rg_keep(void *block)
{
    int64_t size = rg_block_size(block);
    rg_lock();
    for (int k = 0; k < RG_BLOCKS && (k == 0 || rg_store->kept + size > rg_store->most); k++) {
        int old = (rg_store->oldest + k) % RG_BLOCKS;
        if (!rg_store->block[old].start) continue;
        rg_store->kept -= rg_store->block[old].size;
        rg_block_free(rg_store->block[old].start);
        rg_store->block[old].start = 0;
    }
    rg_store->block[rg_store->oldest].start = block;
    rg_store->block[rg_store->oldest].size = size;
    rg_store->oldest = (rg_store->oldest + 1) % RG_BLOCKS;
    rg_store->kept += size;
    rg_unlock();
}

static void rg_give(void *block)
{
    if (!block) return;
    size_t size = rg_block_size(block);
    if (size >= RG_LARGE && (int64_t)size <= rg_store->most) rg_keep(block);
    else rg_block_free(block);
}

static void *rg_data_take(void *ctx, size_t size) { return rg_take(size); }
static void *rg_data_zeros(void *ctx, size_t n, size_t size)
{
    void *block = rg_take(n * size);
    return block ? memset(block, 0, n * size) : 0;
}
static void *rg_data_more(void *ctx, void *old, size_t size)
{
    void *block = rg_take(size);
    if (block && old) {
        size_t before = rg_block_size(old);
        memcpy(block, old, before < size ? before : size);
        rg_give(old);
    }
    return block;
}
static void rg_data_give(void *ctx, void *block, size_t size) { rg_give(block); }

static struct {
    char name[127];
    uint8_t version;
    void *ctx;
    void *(*take)(void *, size_t);
    void *(*zeros)(void *, size_t, size_t);
    void *(*more)(void *, void *, size_t);
    void (*give)(void *, void *, size_t);
} rg_memory = {"retrograd", 1, 0, rg_data_take, rg_data_zeros, rg_data_more, rg_data_give};

/* A new array; of a large one the memory is from the store. */
static rg_object *rg_empty(int nd, int64_t *shape, rg_object *descr, size_t item)
{
    static rg_object *handler;
    size_t size = item;
    for (int k = 0; k < nd; k++) size *= shape[k];
    Py_IncRef(descr);
    if (size < RG_LARGE) return RG_EMPTY(nd, shape, descr);
    if (!handler) handler = PyCapsule_New(&rg_memory, "mem_handler", 0);
    rg_object *before = handler ? RG_HANDLER(handler) : 0;
    rg_object *made = RG_EMPTY(nd, shape, descr);
    if (before) {
        rg_object *own = RG_HANDLER(before);
        if (own) Py_DecRef(own);
        Py_DecRef(before);
    }
    return made;
}
"""
