"""What surrounds a run of the compiler: progress, the garbage collector, the recursion limit."""
