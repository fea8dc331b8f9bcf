"""Those who do the work: this process, clients of dask.distributed, executors, joblib, communicators of MPI."""
