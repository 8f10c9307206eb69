#!/usr/bin/env python3
"""Fails when an #include goes against the layer table of ARCHITECTURE.md.

    tools/check_layers.py [--root DIR]

The table is the first one whose header starts with "| folder |"; a row is | `src/base` | what it holds | may use |.
A folder may use itself, the folders named in its row (by their last word: "color", "stages"; "all" is every folder)
and what those may use. The row with the longest matching path is a file's row. Tests (x_test.cpp) may also use tests/
and the analytic scene; the programs in apps/ may use all of src/ and what they share in apps/.
"""

import argparse
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
TEST_EXTRAS = {"tests", "src/scene"}


def read_table(text: str) -> dict[str, set[str]]:
    """Folder -> the folders it may use, itself and those of its own uses included."""
    rows: dict[str, list[str]] = {}
    inside = False
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| folder |"):
            inside = True
        elif inside and not line.startswith("|"):
            break
        elif inside and len(cells) == 3 and "`" in cells[0]:
            for folder in re.findall(r"`([^`<]+?)/?(?:<[^`]*>)?`", cells[0]):
                rows[folder.rstrip("/")] = re.findall(r"[a-z_0-9]+", cells[2])
    if not rows:
        raise SystemExit("check_layers: ARCHITECTURE.md has no layer table")
    by_word = {folder.split("/")[-1]: folder for folder in rows}

    closed: dict[str, set[str]] = {}

    def uses(folder: str, path: tuple[str, ...]) -> set[str]:
        if folder in path:
            raise SystemExit(f"check_layers: the table has a circle: {' -> '.join((*path, folder))}")
        if folder not in closed:
            found = {folder}
            for word in rows[folder]:
                if word == "all":
                    found |= {other for other in rows if other.startswith("src/")}
                elif word not in by_word:
                    raise SystemExit(f"check_layers: row {folder}: no folder is called '{word}'")
                else:
                    found |= uses(by_word[word], (*path, folder))
            closed[folder] = found
        return closed[folder]

    return {folder: uses(folder, ()) for folder in rows}


def row_of(path: str, table: dict[str, set[str]]) -> str | None:
    fitting = [folder for folder in table if path.startswith(folder + "/")]
    return max(fitting, key=len, default=None)


def resolve(included: str, including: pathlib.Path, root: pathlib.Path) -> str:
    """Path from the root of the file that an include names. One that is not there is generated (its kernel's folder
    counts) or third-party: a path that no row of the table fits."""
    for folder in (root / "src", including.parent, root / "apps", root / "tests"):
        candidate = (folder / included).resolve()
        if candidate.is_file() and candidate.is_relative_to(root):
            return candidate.relative_to(root).as_posix()
    return f"src/{included}"


def check(root: pathlib.Path) -> list[str]:
    table = read_table((root / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    problems = []
    for top in ("src", "apps"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".h", ".cpp", ".hpp", ".inc"):
                continue
            name = path.relative_to(root).as_posix()
            row = row_of(name, table)
            if row is None and top == "src":
                problems.append(f"{name}: its folder is not in the layer table of ARCHITECTURE.md")
                continue
            allowed = table[row] if row else {folder for folder in table if folder.startswith("src/")} | {"apps"}
            is_test = path.stem.endswith("_test")
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                target = resolve(match.group(1), path, root)
                target_row = row_of(target, table)
                if target_row is None and target.startswith("src/"):
                    continue
                target_row = target_row or target.split("/")[0]
                if target_row in allowed or (is_test and target_row in TEST_EXTRAS):
                    continue
                problems.append(f"{name}:{number}: {row or 'apps'} may not use {target_row} ({match.group(1)})")
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    problems = check(parser.parse_args().root.resolve())
    for problem in problems:
        print(f"layers: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
