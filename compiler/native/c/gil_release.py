"""The C that lets go of Python's lock in long calls, and asks for signals now and then; see `polls`."""

from __future__ import annotations

__all__ = ["LOCK"]

LOCK = r"""/* Room is made before sizes are tested; one that is negative leaves the kernel soon after. */
static inline size_t rg_size(int64_t n) { return n > 0 ? (size_t)n : 0; }

/* Python's lock is let go once a call has gone on for a while, and from then on asked for every few
   hundredths of a second, to see whether there are signals. */
typedef struct {
    void *thread; /* while the lock is let go */
    int64_t since;
    rg_object **held; /* arrays that containers might lose meanwhile */
    int holds, stays, stopped, counted;
} rg_state_t;
#define RG_FUEL ((int64_t)1 << 17)
#define RG_STRIP 65536
#define RG_TURN 40000000 /* nanoseconds */

static int64_t rg_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * (int64_t)1000000000 + t.tv_nsec;
}

static __attribute__((noinline, cold)) void rg_let_go(rg_state_t *s)
{
    if (s->stays || s->thread) return;
    if (!s->counted) for (int k = 0; k < s->holds; k++) Py_IncRef(s->held[k]);
    s->counted = 1;
    s->thread = PyEval_SaveThread();
}

static inline void rg_take_back(rg_state_t *s)
{
    if (RG_RARE(!!s->thread)) PyEval_RestoreThread(s->thread);
    s->thread = 0;
}

/* Whether to stop; else there is new fuel. */
static __attribute__((noinline, cold)) int64_t rg_pause(rg_state_t *s)
{
    int64_t now = rg_now();
    if (!s->since) s->since = now;
    if (now - s->since > RG_TURN) {
        rg_take_back(s);
        s->stopped = PyErr_CheckSignals() != 0;
        s->since = now;
        if (s->stopped) return -1;
    }
    rg_let_go(s);
    return RG_FUEL;
}

#define RG_POLL(count, weight)                                          \
    do {                                                                \
        rg_fuel -= (int64_t)rg_size(count) * (weight);                  \
        if (RG_RARE(rg_fuel < 0)) {                                     \
            rg_fuel = rg_pause(&rg_state);                              \
            if (rg_fuel < 0) goto bail;                                 \
        }                                                               \
    } while (0)

"""
