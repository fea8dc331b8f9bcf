"""Calls that stay calls, and what they give: objects that are asked when the function runs, or known before."""
