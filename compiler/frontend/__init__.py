"""The user's source as a syntax tree, desugared."""
