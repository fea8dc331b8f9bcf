"""Generated modules on disk: entries, loading, private files, bytecode."""
