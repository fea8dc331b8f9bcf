"""Idioms of programs that people write, with typed holes, and programs composed of them."""
