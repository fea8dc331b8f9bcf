"""Types of results from types of arguments: one shape function per operation."""
