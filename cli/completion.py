"""``retrograd completion``: scripts with which a shell completes commands, options and functions of files."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .modes import MODES, OTHER_NAMES
from .parser import command_parsers, parser
from .texts.program_text import functions_in, parameters_in

__all__ = ["add", "completions"]

ABOUT = (
    "Print a script for a shell: with it, the tab key completes commands, options and functions."
)
EXAMPLES = """\
examples:
  source <(retrograd completion bash)                                   in ~/.bashrc
  source <(retrograd completion zsh)                                    in ~/.zshrc, after compinit
  retrograd completion fish > ~/.config/fish/completions/retrograd.fish
"""
# A colon ends a word in bash: what stands before it is no part of what is completed.
BASH = """\
_retrograd() {
    local line="${COMP_LINE:0:COMP_POINT}" before="" found
    local -a words
    read -ra words <<< "$line"
    [[ $line == *' ' ]] && words+=("")
    local last="${words[-1]}"
    if [[ $last == *:* && $COMP_WORDBREAKS == *:* ]]; then before="${last%:*}:"; fi
    COMPREPLY=()
    while IFS= read -r found; do
        [[ -n $found ]] && COMPREPLY+=("${found#"$before"}")
    done < <(retrograd completion words -- "${words[@]:1}" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[:/] ]]; then compopt -o nospace; fi
}
complete -F _retrograd retrograd
"""
ZSH = """\
_retrograd() {
    local -a found
    found=("${(@f)$(retrograd completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    compadd -S '' -- ${found:#}
}
compdef _retrograd retrograd
"""
FISH = """\
complete -c retrograd -f -a \
'(retrograd completion words -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
"""
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}
TARGETS = ("grad", "explain", "check", "compile")


def add(commands: Any) -> None:
    """Teach the parser this command."""
    made = commands.add_parser(
        "completion", help="completion for bash, zsh or fish", description=ABOUT,
        epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    made.add_argument(
        "shell", choices=(*SCRIPTS, "words"), metavar="SHELL", help=", ".join(SCRIPTS)
    )
    made.add_argument("words", nargs="*", help=argparse.SUPPRESS)
    made.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if options.shell == "words":
        print("\n".join(completions(options.words)))
    else:
        print(SCRIPTS[options.shell], end="")
    return 0


def completions(words: list[str]) -> list[str]:
    """What the last of these words may become."""
    *before, last = words or [""]
    return sorted({word for word in candidates(before, last) if word.startswith(last)})


def candidates(before: list[str], last: str) -> Iterator[str]:
    commands = command_parsers(parser())
    if not before:
        yield from (*commands, "--help", "--version")
        return
    own = commands.get(before[0])
    if own is None:
        return
    options = own._option_string_actions
    if before[-1] in options and options[before[-1]].nargs != 0:
        yield from values_of(before, before[-1], options[before[-1]], last)
    elif last.startswith("-"):
        yield from options
    else:
        for action in own._actions:
            yield from () if action.option_strings else (action.choices or ())
        if before[0] in (*TARGETS, "sync"):
            yield from targets(last, before[0] in TARGETS)


def values_of(before: list[str], name: str, option: argparse.Action, last: str) -> Iterator[str]:
    """The values of an option: modes and arguments after the last comma."""
    start = last[: last.rfind(",") + 1]
    if name == "--mode":
        yield from (start + mode for mode in (*MODES, *OTHER_NAMES))
    elif name == "--wrt":
        for word in before:
            file, colon, path = word.rpartition(":")
            if colon:
                yield from (start + p for p in parameters_in(Path(file), path) if p != "self")
    elif option.choices is not None:
        yield from map(str, option.choices)
    elif name in ("-o", "--output"):
        yield from paths(last)


def targets(last: str, functions: bool) -> Iterator[str]:
    """Files, and after the colon their functions."""
    file, colon, _ = last.rpartition(":")
    if colon:
        yield from (f"{file}:{name}" for name in functions_in(Path(file)))
        return
    for path in paths(last):
        yield (
            f"{path}:" if functions and path.endswith(".py") and functions_in(Path(path)) else path
        )


def paths(last: str) -> Iterator[str]:
    """Python files and folders that begin so."""
    start = last[: last.rfind("/") + 1]
    folder = Path(start or ".")
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.is_dir() and not path.name.startswith((".", "__")):
            yield f"{start}{path.name}/"
        elif path.suffix == ".py":
            yield start + path.name
