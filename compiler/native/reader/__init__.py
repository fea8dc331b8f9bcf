"""The emitted text read as loop IR."""
