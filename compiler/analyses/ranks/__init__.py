"""The ranks that a program decides: of what its operations do to its arguments, which numbers of dimensions these may have."""
