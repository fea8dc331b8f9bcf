"""The types of arguments, from what the user has said or shown already."""
