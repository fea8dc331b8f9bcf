"""Which pages the site has, in what order: tutorial, how-to, reference, explanation."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["ELSEWHERE", "GROUPS", "SHORT", "groups"]

# Pages of docs/, by name; what is not listed comes at the end of the reference.
GROUPS = {
    "Learn": ["tutorial", "gallery/index"],
    "How to": [
        "coming_from",
        "other_libraries",
        "explain",
        "higher_order",
        "backends",
        "distributed",
        "gpu",
        "eager",
    ],
    "Reference": [
        "reference",
        "command_line",
        "supported_python",
        "operations",
        "errors",
        "runtime",
        "eager_scope",
        "inline_math",
        "glossary",
    ],
    "Explanation": [
        "emitted_text",
        "how_it_works",
        "rules",
        "architecture",
        "performance",
        "goals",
        "decisions/index",
    ],
    "Project": ["changelog", "contributing", "security", "benchmarks", "gradbench"],
}

# What a page is called in the table of contents, where its own title is long.
SHORT = {
    "coming_from": "Coming from JAX, PyTorch …",
    "higher_order": "Jacobians and Hessians",
    "eager": "The eager twin",
    "eager_scope": "Scope of the eager twin",
    "inline_math": "Elementary functions",
    "goals": "Goals of speed",
}

# Files outside docs/ that are pages, and what they are called there.
ELSEWHERE = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CODE_OF_CONDUCT.md": "code_of_conduct.md",
    "benchmarks/README.md": "benchmarks.md",
    "benchmarks/gradbench/README.md": "gradbench.md",
    "README.md": "index.md",  # a link to the README leads to the first page
}


def groups(pages: Iterable[str]) -> dict[str, list[str]]:
    """The groups with the pages that there are; those of folders have an index of their own."""
    there = set(pages)
    made = {title: [name for name in names if name in there] for title, names in GROUPS.items()}
    listed = {name for names in made.values() for name in names} | {"index"}
    rest = sorted(name for name in there - listed if "/" not in name)
    made["Project"] += [name for name in rest if f"{name}.md" in ELSEWHERE.values()]
    made["Reference"] += [name for name in rest if f"{name}.md" not in ELSEWHERE.values()]
    return made
