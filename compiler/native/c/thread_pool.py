"""The threads that share the loops of C kernels: one pool for all kernels of a process.

Whoever calls runs parts himself, and waits at the end for those alone who have begun one: a thread that
wakes up late, or has to wait for a processor, holds nobody up.
"""

from __future__ import annotations

__all__ = ["POOL"]

POOL = r"""
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

typedef void (*rg_run_t)(void *given, int64_t part);

enum { MOST = 1024, SPIN = 4000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, ended = PTHREAD_COND_INITIALIZER;
static int threads, asleep; /* helpers there are, and those that wait for `more` */
static int inside, wanted;  /* helpers at work, and how many may be */
static int offered;         /* there may be parts left */
static char busy;           /* somebody's parts are being run */
static rg_run_t run;
static void *given;
static int64_t parts, next;

static void rest(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static void work(rg_run_t f, void *x, int64_t n)
{
    int64_t k;
    while ((k = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)) < n)
        f(x, k);
}

static void *helper(void *unused)
{
    for (;;) {
        for (int k = 0; k < SPIN && !__atomic_load_n(&offered, __ATOMIC_RELAXED); k++)
            rest();
        pthread_mutex_lock(&lock);
        while (!offered || inside >= wanted) {
            asleep++;
            pthread_cond_wait(&more, &lock);
            asleep--;
        }
        __atomic_add_fetch(&inside, 1, __ATOMIC_RELAXED);
        rg_run_t f = run;
        void *x = given;
        int64_t n = parts;
        pthread_mutex_unlock(&lock);
        work(f, x, n);
        pthread_mutex_lock(&lock);
        __atomic_store_n(&offered, 0, __ATOMIC_RELAXED);
        if (!__atomic_sub_fetch(&inside, 1, __ATOMIC_RELEASE))
            pthread_cond_signal(&ended);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void hire(int count)
{
    sigset_t all, before;
    pthread_attr_t alone;
    pthread_t one;
    sigfillset(&all); /* signals are Python's */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&alone);
    pthread_attr_setdetachstate(&alone, PTHREAD_CREATE_DETACHED);
    while (threads < count && threads < MOST && !pthread_create(&one, &alone, helper, 0))
        threads++;
    pthread_attr_destroy(&alone);
    pthread_sigmask(SIG_SETMASK, &before, 0);
}

/* In a process that was forked there are no helpers. */
static void orphan(void)
{
    pthread_mutex_init(&lock, 0);
    pthread_cond_init(&more, 0);
    pthread_cond_init(&ended, 0);
    threads = asleep = inside = offered = busy = 0;
}

__attribute__((constructor)) static void begin(void) { pthread_atfork(0, 0, orphan); }

/* Run all parts, on up to `count` threads. */
void rg_pool(rg_run_t f, void *x, int64_t n, int count)
{
    if (count < 2 || __atomic_test_and_set(&busy, __ATOMIC_ACQUIRE)) {
        for (int64_t k = 0; k < n; k++)
            f(x, k);
        return;
    }
    pthread_mutex_lock(&lock);
    if (threads < count - 1)
        hire(count - 1);
    run = f;
    given = x;
    parts = n;
    next = 0;
    wanted = count - 1;
    __atomic_store_n(&offered, 1, __ATOMIC_RELAXED);
    for (int k = 0; k < wanted && k < asleep; k++)
        pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
    work(f, x, n);
    pthread_mutex_lock(&lock);
    __atomic_store_n(&offered, 0, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
    for (int k = 0; k < SPIN && __atomic_load_n(&inside, __ATOMIC_ACQUIRE); k++)
        rest();
    pthread_mutex_lock(&lock);
    while (inside)
        pthread_cond_wait(&ended, &lock);
    pthread_mutex_unlock(&lock);
    __atomic_clear(&busy, __ATOMIC_RELEASE);
}
"""
