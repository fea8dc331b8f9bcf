"""The terminal and the shell: colour, working folders, what was perhaps meant."""
