"""GradBench: its twelve evals for retrograd, as a tool in its protocol, and a harness to run them here."""
