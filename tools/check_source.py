#!/usr/bin/env python3
"""Fails on text that has no place in the tree; the rules and their reasons stand in the table below.

    tools/check_source.py [--root DIR]

Looks at every file that git tracks or would track. Long files are reported, not failed.
"""

import argparse
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass

LONGEST_FILE = 500  # lines; a file above it wants to be two


@dataclass(frozen=True)
class Rule:
    pattern: re.Pattern[str]
    files: tuple[str, ...]  # endings of the files looked at
    allowed: tuple[str, ...]  # paths that start with one of these may
    reason: str


CODE = (".h", ".cpp", ".inc")
TEXT = CODE + (".wgsl", ".cmake", ".txt", ".md", ".py", ".sh", ".json", ".yml", ".toml", "dev", "run")

# wgpu-native 29 answers these with a panic, and a panic ends the process.
ABORTING = [
    "[A-Za-z]+SetLabel", "InstanceWaitAny", "GetProcAddress", "[A-Za-z]+GetProcAddress", "BufferGetMapState",
    "BufferReadMappedRange", "BufferWriteMappedRange", "DeviceCreate(Compute|Render)PipelineAsync",
    "ShaderModuleGetCompilationInfo", "DeviceGetLostFuture", "DeviceGetAdapterInfo", "(Get|Has)InstanceFeatures?",
    "[A-Za-z]*InstanceFeatures?", "InstanceGetWGSLLanguageFeatures", "InstanceHasWGSLLanguageFeature",
    "ExternalTexture[A-Za-z]+", "TextureGetTextureBindingViewDimension",
]  # fmt: skip

RULES = [
    Rule(
        re.compile(r"#\s*include\s*[<\"](webgpu/|webgpu\.h|wgpu\.h)"),
        CODE,
        ("src/gpu/",),
        "only src/gpu knows WebGPU",
    ),
    Rule(re.compile(r"\bwgpu[A-Z]\w*\s*\("), CODE, ("src/gpu/",), "only src/gpu calls WebGPU"),
    Rule(
        re.compile(r"\bwgpu(" + "|".join(ABORTING) + r")\s*\("),
        CODE,
        (),
        "wgpu-native ends the process in this function",
    ),
    Rule(re.compile(r"onnxruntime\w*_api\.h"), CODE, ("src/nn/", "tests/nn/"), "only src/nn knows ONNX Runtime"),
    Rule(re.compile(r"\b(std::cout|std::cerr|printf|puts)\b(?!\w)"), CODE, ("apps/", "tests/", "bench/", "fuzz/"),
         "the library never prints: use the log"),
    Rule(re.compile(r"(?<![\w.>:])(std::|::)?(exit|_Exit|quick_exit|abort)\s*\("), CODE, ("apps/", "tests/", "bench/", "fuzz/", "src/gpu/"),
         "the library never ends the process: throw an Error"),
    Rule(re.compile(r"(?<![\w.])/(work|root)/"), TEXT, (), "a path of one machine"),
    Rule(
        re.compile(r"\b(pypi\.org|pythonhosted|deb\.debian|archive\.ubuntu|registry\.npmjs|crates\.io|proxy\.golang)", re.I),
        TEXT,
        (),
        "a package source's host: the user's own configuration names it",
    ),
    Rule(re.compile(r"^(<{7}|>{7}) "), TEXT, (), "an unresolved merge"),
    Rule(re.compile(r"[ \t]+$"), CODE + (".wgsl", ".py", "dev"), (), "white space at the end of a line"),
]


def tracked_files(root: pathlib.Path) -> list[str]:
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard"],
        capture_output=True, text=True, check=True,
    )
    return sorted(set(listed.stdout.splitlines()))


def check(root: pathlib.Path) -> tuple[list[str], list[str]]:
    problems, remarks = [], []
    for name in tracked_files(root):
        path = root / name
        if name in ("LICENSE", "tools/check_source.py") or not name.endswith(TEXT) or not path.is_file():
            continue
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        is_test = path.stem.endswith("_test")
        if len(lines) > LONGEST_FILE and name.endswith(CODE + (".wgsl", ".py")):
            remarks.append(f"{name}: {len(lines)} lines (wanted: at most {LONGEST_FILE})")
        for rule in RULES:
            if not name.endswith(rule.files) or name.startswith(rule.allowed):
                continue
            if is_test and rule.reason.startswith("the library"):
                continue
            for number, line in enumerate(lines, start=1):
                code = line.split("//")[0] if name.endswith(CODE) and "library" in rule.reason else line
                if rule.pattern.search(code):
                    problems.append(f"{name}:{number}: {rule.reason}: {line.strip()[:100]}")
    return problems, remarks


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    problems, remarks = check(parser.parse_args().root.resolve())
    for remark in remarks:
        print(f"source: note: {remark}", file=sys.stderr)
    for problem in problems:
        print(f"source: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
