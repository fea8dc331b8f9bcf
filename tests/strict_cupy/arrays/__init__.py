"""The array of the double, its memory, its subscripts and its way to the host."""
