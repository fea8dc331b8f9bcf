"""Comments and blank lines that the nodes of a tree carry into the text."""

import ast

from retrograd.compiler.emit.printer.printer import write


def annotated(source: str, **notes: object) -> ast.Module:
    """A module whose statements, by their first line's number `_n`, carry comments."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        for name, note in notes.items():
            kind, _, line = name.rpartition("_")
            if isinstance(node, ast.stmt) and node.lineno == int(line):
                setattr(node, kind, note)
    return tree


def test_trailing_comments_stand_two_spaces_off() -> None:
    tree = annotated(
        "a = 1\nbb = 22\nlonger_name = 333\nc = 4\nfor i in x:\n    pass\nd = 5",
        trailing_1="line 1", trailing_4="line 4", trailing_5="loop", trailing_7="line 7",
    )  # fmt: skip
    expected = """\
a = 1  # line 1
bb = 22
longer_name = 333
c = 4  # line 4
for i in x:  # loop
    pass
d = 5  # line 7
"""
    assert write(tree) == expected


def test_comments_stand_above_at_the_indent() -> None:
    tree = annotated(
        "x = 1\nif x:\n    y = 2\n    z = 3\nelif y:\n    z = 4",
        comments_2=["backward", "two\nlines"], comments_3=["inner"], blank_before_4=True,
        comments_5=["otherwise"],
    )  # fmt: skip
    expected = """\
x = 1
# backward
# two
# lines
if x:
    # inner
    y = 2

    z = 3
# otherwise
elif y:
    z = 4
"""
    assert write(tree) == expected


def test_long_comments_move() -> None:
    near = annotated("a = 1\nbbbbbbbbbbbbbbb = 2", trailing_1="x" * 14, trailing_2="y")
    assert write(near, 24) == f"a = 1  # {'x' * 14}\nbbbbbbbbbbbbbbb = 2  # y\n"
    above = annotated("def f():\n    a = 1", trailing_2="x" * 30)
    assert write(above, 24) == f"def f():\n    # {'x' * 30}\n    a = 1\n"


def test_a_comment_cannot_become_code() -> None:
    tree = annotated("a = 1", comments_1=["one\rimport os\n\nx = 2"], trailing_1="t\nimport os")
    assert ast.dump(ast.parse(write(tree))) == ast.dump(ast.parse("a = 1"))


def test_code_is_quoted_as_far_as_there_is_room() -> None:
    tree = annotated("if x:\n    y = 2", quoted_2="y = first(x) + second(x)")
    assert write(tree, 60) == "if x:\n    # `y = first(x) + second(x)`\n    y = 2\n"
    assert write(tree, 26) == "if x:\n    # `y = first(x) ...`\n    y = 2\n"
