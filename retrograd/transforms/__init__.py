"""The transformations of functions behind the public names: `grad`, `jvp`, `jacobian` and the rest."""
