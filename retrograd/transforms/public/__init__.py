"""How users meet the transformations: options, errors, pickles."""
