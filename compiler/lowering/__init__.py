"""From syntax trees to structured SSA."""
