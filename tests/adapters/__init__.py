"""The adapters, each against its library."""
