"""The helpers generated code calls as ``rt.name``, a family per file."""
