"""The user's source as a desugared syntax tree."""
