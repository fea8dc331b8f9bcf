"""The memory of C kernels: that of large arrays which nobody holds any more is kept for the next ones.

Memory that comes from the system has to be cleared page by page, which takes longer than most kernels need to
write to it.  All kernels of a process share one store; arrays are NumPy's, with a handler of their own.
"""

from __future__ import annotations

__all__ = ["STORE"]

STORE = r"""
typedef struct rg_object rg_object;
extern rg_object *PyCapsule_New(void *, const char *, void *);
extern void Py_IncRef(rg_object *);
extern void Py_DecRef(rg_object *);

enum { BLOCKS = 64 };
#define LARGE ((size_t)1 << 20)
static void **numpy; /* its table of functions */
static int64_t kept, most = (int64_t)1 << 29;
static int oldest;
static struct { char *start; int64_t size; } block[BLOCKS];
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

/* The size of a block stands before it, and where it was allocated. */
static size_t size_of(void *x) { return ((size_t *)x)[-1]; }
static void release(void *x) { free(((void **)x)[-2]); }

/* In a process that was forked nobody is inside. */
static void alone(void) { pthread_mutex_init(&gate, 0); }
__attribute__((constructor)) static void begin_store(void) { pthread_atfork(0, 0, alone); }

static void let_go(int k)
{
    void *x = block[k].start;
    if (!x) return;
    kept -= block[k].size;
    block[k].start = 0;
    release(x);
}

static void *found(size_t need)
{
    void *start = 0;
    int best = -1;
    pthread_mutex_lock(&gate);
    for (int k = 0; k < BLOCKS; k++) {
        size_t size = block[k].size;
        if (block[k].start && size >= need && size <= need + need / 4
            && (best < 0 || (int64_t)size < block[best].size))
            best = k;
    }
    if (best >= 0) {
        start = block[best].start;
        kept -= block[best].size;
        block[best].start = 0;
    }
    pthread_mutex_unlock(&gate);
    return start;
}

/* Memory that begins a cache line. */
static void *take(size_t need)
{
    void *before = need >= LARGE ? found(need) : 0;
    if (before) return before;
    char *raw = malloc(need + 128);
    if (!raw) return 0;
    char *start = raw + 64 + (-(uintptr_t)raw & 63);
    ((size_t *)start)[-1] = need;
    ((void **)start)[-2] = raw;
#ifdef __linux__
    if (need >= 4 * LARGE)
        madvise(raw + (-(uintptr_t)raw & 4095), need & ~(size_t)4095, 14); /* MADV_HUGEPAGE */
#endif
    return start;
}

static void keep(void *x)
{
    int64_t size = size_of(x);
    pthread_mutex_lock(&gate);
    let_go(oldest);
    for (int k = 1; k < BLOCKS && kept + size > most; k++) let_go((oldest + k) % BLOCKS);
    block[oldest].start = x;
    block[oldest].size = size;
    oldest = (oldest + 1) % BLOCKS;
    kept += size;
    pthread_mutex_unlock(&gate);
}

static void give(void *x)
{
    if (!x) return;
    if (size_of(x) >= LARGE && (int64_t)size_of(x) <= most) keep(x);
    else release(x);
}

static void *data_take(void *unused, size_t size) { return take(size); }
static void *data_zeros(void *unused, size_t n, size_t size)
{
    void *x = take(n * size);
    return x ? memset(x, 0, n * size) : 0;
}
static void *data_more(void *unused, void *old, size_t size)
{
    void *x = take(size);
    if (x && old) {
        memcpy(x, old, size_of(old) < size ? size_of(old) : size);
        give(old);
    }
    return x;
}
static void data_give(void *unused, void *x, size_t size) { give(x); }

static struct {
    char name[127];
    uint8_t version;
    void *unused;
    void *(*take)(void *, size_t);
    void *(*zeros)(void *, size_t, size_t);
    void *(*more)(void *, void *, size_t);
    void (*give)(void *, void *, size_t);
} memory = {"retrograd", 1, 0, data_take, data_zeros, data_more, data_give};

/* A new array whose memory is from the store. */
static rg_object *array(int nd, int64_t *shape, rg_object *descr)
{
    static rg_object *handler;
    rg_object *(*handle)(rg_object *) = (rg_object *(*)(rg_object *))numpy[304];
    rg_object *(*empty)(int, int64_t *, rg_object *, int) =
        (rg_object *(*)(int, int64_t *, rg_object *, int))numpy[184];
    if (!handler) handler = PyCapsule_New(&memory, "mem_handler", 0);
    rg_object *before = handler ? handle(handler) : 0;
    rg_object *made = empty(nd, shape, descr, 0);
    if (before) {
        rg_object *own = handle(before);
        if (own) Py_DecRef(own);
        Py_DecRef(before);
    }
    return made;
}

int64_t rg_kept(void) { return kept; }
void rg_keep_at_most(int64_t bytes) { most = bytes; }
void rg_empty_cache(void)
{
    pthread_mutex_lock(&gate);
    for (int k = 0; k < BLOCKS; k++) let_go(k);
    pthread_mutex_unlock(&gate);
}

/* What kernels call. */
static void *const table[] = {rg_pool, take, give, array};
void *rg_service(void **numpy_table)
{
    numpy = numpy_table;
    return (void *)table;
}
"""
