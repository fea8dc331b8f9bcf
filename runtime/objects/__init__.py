"""What Python objects are and how they answer: attributes, protocols, containers, memory layout."""
