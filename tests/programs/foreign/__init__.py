"""Programs of many fields, as their authors write them: not as our tests do."""
