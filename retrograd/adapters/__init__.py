"""Other libraries' words for functions and their derivatives: `rg.scipy`, `rg.torch`, `rg.jax` and the like.

Each module needs its library, and is imported when it is asked for.
"""
