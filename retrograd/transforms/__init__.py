"""The transformations behind the public names: `grad`, `jvp`, `jacobian` and the rest."""
