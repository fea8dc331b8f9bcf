"""The functions of the tensor API, a family per file."""
