"""From the IR to the text of a module."""
