"""Where the runtime's own functions live, as prefixes of the module names they carry."""

RUNTIME = "retrograd.runtime."
RULES = f"{RUNTIME}rules."
HELPERS = f"{RUNTIME}helpers."
SCIPY_HELPERS = f"{HELPERS}scipy."
REPLACEMENTS = f"{RUNTIME}replacements."  # programs that stand for other libraries' functions
