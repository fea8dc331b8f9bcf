"""Is a mistake found? One at a time is made in rules, helpers, passes and facts, and derivatives are asked for."""
