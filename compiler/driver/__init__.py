"""Around a run of the compiler: progress, times, the garbage collector, the recursion limit."""
