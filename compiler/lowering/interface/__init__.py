"""What the parts of the lowerer offer each other, as protocols: no part imports another."""
