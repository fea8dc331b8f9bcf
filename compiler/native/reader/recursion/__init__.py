"""Functions that call themselves, read as functions of the kernel."""
