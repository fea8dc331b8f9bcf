"""Python objects and how they answer: attributes, protocols, containers, memory layout."""
