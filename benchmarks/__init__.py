"""Benchmarks: one thread for everybody, said before NumPy and the peers are imported.

`RETROGRAD_NUM_THREADS=4` gives everybody four.
"""

import os

THREADS = int(os.environ.get("RETROGRAD_NUM_THREADS", "1"))

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, str(THREADS))
if THREADS == 1:
    os.environ.setdefault(
        "XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    )
