"""What people meet: tracebacks, words, options of other libraries, pickles, types."""
