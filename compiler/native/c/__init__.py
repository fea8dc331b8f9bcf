"""The C back end: printer, shared libraries, allocator, threads."""
