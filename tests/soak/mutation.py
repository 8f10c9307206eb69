#!/usr/bin/env python3
"""Proves that the tests can fail: nudges one numeric constant at a time in a kernel or in its CPU twin and expects red.

Works in a copy of the tree under build/mutation (never in the work tree), rebuilds only what the change touches, runs
the oracle's cases of that folder and then the folder's unit tests. A mutant that nothing notices is printed as a
survivor: a case is missing, or the constant does not matter (then say so in EQUIVALENT).

    mutation.py --seconds 300 [--seed N] [--only REGEX]
"""
import argparse
import filecmp
import os
import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPY = ROOT / "build" / "mutation" / "tree"
BUILD = ROOT / "build" / "mutation" / "build"

# folder of the code -> the oracle's -o, the unit test programs that cover it
TARGETS = {
    "src/develop/stages/geom": ("geom", ["spatial_test"]),
    "src/develop/stages/resize": ("resize", ["spatial_test"]),
    "src/image/resample": ("resize", ["spatial_test"]),
    "src/develop/stages/planes": ("planes", ["spatial_test"]),
    "src/develop/stages/masks": ("masks", ["spatial_test"]),
    "src/develop/stages/finish": ("finish", ["finish_test"]),
    "src/develop/tools": ("finish", ["tools_test", "finish_test"]),
    "src/pano": ("pano", ["pano_test", "truth_test"]),
    "src/base/math": ("finish", ["base_test", "math_gpu_test"]),
}

# file suffix, pattern of the line: constants of which a change is no change, and why
EQUIVALENT = [
    (r"", r"static_assert", "fails to compile"),
    (r"", r"@workgroup_size|workgroup_size =|reserve\(|parallel_for|tile_|chunk_|strip|IMAGO_SIMD", "how work is cut"),
    (r"", r"StageKey key = 0|throw Error|^\s*(static )?(constexpr )?(float|double|int) \w+\[\d+\];",
     "defaults of tests, limits with a message, room to spare"),
    (r"geom_passes\.cpp$", r"slope >|\? 16u : 1u", "how work is cut"),
    (r"_passes\.cpp$", r"Element::|\.name =|usage|scale = 0", "stand-ins and names"),
]

NUMBER = re.compile(r"(?<![\w.])(?:0x1p[-+]?\d+f?|\d+\.\d*(?:[eE][-+]?\d+)?f?|\.\d+f?|\d+[eE][-+]?\d+f?|\d+u?)(?![\w.])")


def nudged(text):
    """A value that a slip of the hand could have left there."""
    if text.startswith("0x1p"):
        return re.sub(r"p([-+]?\d+)", lambda m: f"p{int(m[1]) + 1}", text)
    suffix = text[-1] if text[-1] in "fu" else ""
    body = text[:-1] if suffix else text
    if suffix == "u" or body.isdigit():
        return f"{int(body) + 1}{suffix}"
    value = float(body)
    changed = value * 1.01 if value != 0 else 0.01
    return f"{changed:.9g}".rstrip() + ("" if "." in f"{changed:.9g}" or "e" in f"{changed:.9g}" else ".0") + suffix


def sources():
    for path in sorted((ROOT / "src").rglob("*")):
        name = path.relative_to(ROOT).as_posix()
        if path.suffix not in (".wgsl", ".cpp", ".h") or name.endswith("_test.cpp") or "test_picture" in name:
            continue
        for folder, target in TARGETS.items():
            if name.startswith(folder) and not re.search(r"pano/(pano|cubemap)\.|/params\.|stages/source", name):
                yield path, target
                break


def code_of(line):
    return re.sub(r"\"[^\"]*\"", lambda m: " " * len(m[0]), line.split("//")[0])


def mutants():
    for path, target in sources():
        name = path.relative_to(ROOT).as_posix()
        for number, line in enumerate(path.read_text().splitlines()):
            if line.lstrip().startswith("#"):
                continue
            if any(re.search(suffix, name) and re.search(pattern, line) for suffix, pattern, _ in EQUIVALENT):
                continue
            for match in NUMBER.finditer(code_of(line)):
                yield path, number, match.start(), match.group(), target


def sync():
    """The work tree's own files, those alone that differ: the copy's build stays warm."""
    listing = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], capture_output=True,
                             text=True, check=True).stdout.splitlines()
    wanted = {name for name in listing if (ROOT / name).is_file()}
    for name in sorted(wanted):
        source, copy = ROOT / name, COPY / name
        if copy.is_file() and filecmp.cmp(source, copy, shallow=False):
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copy)
    for copy in COPY.rglob("*"):
        if copy.is_file() and copy.relative_to(COPY).as_posix() not in wanted:
            copy.unlink()


def configure():
    subprocess.run(["cmake", "-S", COPY, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                    f"-DIMAGO_DEPS={ROOT / 'deps'}", "-DCMAKE_CXX_FLAGS_RELEASE=-O1"], check=True,
                   stdout=subprocess.DEVNULL)


def known_tests():
    listing = subprocess.run(["ninja", "-C", BUILD, "-t", "targets", "all"], capture_output=True, text=True).stdout
    return set(re.findall(r"^(\w+_test): phony", listing, re.M))


def build(targets, seconds=600):
    result = subprocess.run(["ninja", "-C", BUILD, "-j2", *targets], capture_output=True, text=True, timeout=seconds)
    return result.returncode == 0, result.stdout


def run(program, *arguments):
    environment = dict(os.environ, IMAGO_GPU_SOFTWARE="1", GPU_REQUIRED="1")
    try:
        result = subprocess.run([BUILD / "bin" / program, *arguments], cwd=COPY, env=environment, timeout=120,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return False
    return result.returncode == 0


def verdict(target, tests):
    part, programs = target
    built, output = build(["oracle"])
    if not built:
        return "does not compile"
    if not run("oracle", "test", "-o", part):
        return "oracle"
    for program in programs:
        if program not in tests:
            continue
        built, output = build([program])
        if not built:
            return "does not compile"
        if not run(program):
            return program
    return "SURVIVED"


def try_mutant(mutant, tests):
    path, number, column, text, target = mutant
    copy = COPY / path.relative_to(ROOT)
    original = copy.read_text()
    lines = original.splitlines(keepends=True)
    line = lines[number]
    lines[number] = line[:column] + nudged(text) + line[column + len(text):]
    copy.write_text("".join(lines))
    try:
        return verdict(target, tests), line.strip(), nudged(text)
    finally:
        copy.write_text(original)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=300, help="budget; the mutant in hand is finished")
    parser.add_argument("--seed", type=int, default=None, help="order of the mutants (default: the day)")
    parser.add_argument("--only", default="", help="regular expression of the paths")
    parser.add_argument("--list", action="store_true", help="count the mutants and stop")
    options = parser.parse_args()
    everything = [m for m in mutants() if re.search(options.only, m[0].relative_to(ROOT).as_posix())]
    if options.list:
        print(f"{len(everything)} constants in {len({m[0] for m in everything})} files")
        return 0
    sync()
    configure()
    tests = known_tests()
    wanted = {program for m in everything for program in m[4][1]} & tests
    print(f"{len(everything)} constants; building the unchanged tree", flush=True)
    built, output = build(["oracle", *sorted(wanted)], 3600)
    if not built or not run("oracle", "test"):
        print(output[-3000:] if not built else "the unchanged tree does not pass")
        return 2
    random.Random(options.seed if options.seed is not None else int(time.time() / 86400)).shuffle(everything)
    end = time.monotonic() + options.seconds
    counts, survivors = {}, []
    for mutant in everything:
        if time.monotonic() > end:
            break
        outcome, line, value = try_mutant(mutant, tests)
        counts[outcome] = counts.get(outcome, 0) + 1
        where = f"{mutant[0].relative_to(ROOT).as_posix()}:{mutant[1] + 1}"
        print(f"{outcome:18} {where}  {mutant[3]} -> {value}   {line[:90]}", flush=True)
        if outcome == "SURVIVED":
            survivors.append(f"{where}  {mutant[3]} -> {value}   {line}")
    print("\n" + ", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    for survivor in survivors:
        print("survivor:", survivor)
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
