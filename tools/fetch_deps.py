#!/usr/bin/env python3
"""Puts the prebuilt libraries into deps/: each is a file of the Python package index, pinned by SHA-256.

    tools/fetch_deps.py [--prefix deps] [--check] [--quiet] [wgpu libraw onnxruntime]

pip does the download, so its configuration (index, proxy, certificates, PIP_* variables) holds here too; nothing is
installed into Python and no code of a package runs. A part is unpacked beside its place and renamed into it, so a
failed or interrupted run leaves what was there before. A part whose .pin file matches is not fetched again.
"""

import argparse
import hashlib
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import textwrap
import zipfile
from dataclasses import dataclass


class FetchError(Exception):
    """One line for the user: what could not be had, and why."""


@dataclass(frozen=True)
class Archive:
    """One file of the index. A wheel's Python tag does not matter: only its shared libraries are taken."""

    package: str
    version: str
    sha256: dict[str, str]  # by machine; "any" for a source archive
    files: list[tuple[str, str]]  # (path inside the archive, place below the part's folder); "a/*" -> "b/"

    def digest(self, machine: str) -> str | None:
        return self.sha256.get("any") or self.sha256.get(machine)

    @property
    def is_source(self) -> bool:
        return "any" in self.sha256


PARTS: dict[str, list[Archive]] = {
    "wgpu": [
        Archive(
            "wgpu",
            "0.32.0",
            {
                "x86_64": "6499a31b5a29a10b4f1089fea4a0806411f42605fa86b6c0b543a07ca0de8568",
                "aarch64": "00454ba1bc794d38c8365f4ad29f381b88ce0a7f115133bfaa6f1dfad7eb2764",
            },
            [
                ("wgpu/resources/webgpu.h", "include/webgpu/webgpu.h"),
                ("wgpu/resources/wgpu.h", "include/webgpu/wgpu.h"),
                ("wgpu/resources/libwgpu_native-release.so", "lib/libwgpu_native.so"),
            ],
        )
    ],
    # The library finds its own dependencies at ../rawpy.libs, so that folder keeps its name.
    "libraw": [
        Archive(
            "rawpy",
            "0.28.0",
            {
                "x86_64": "288222bc211e03263d4669cdbf8c15958b2b630cf6cacf6b7b4a88864a24ecd7",
                "aarch64": "014d5e8f3b687abe2e21988c0a228f58bc4df7c9607f50599559bd4bdbd74fc3",
            },
            [("rawpy/libraw_r.so.25", "lib/libraw_r.so.25"), ("rawpy.libs/*", "rawpy.libs/")],
        ),
        Archive(
            "rawpy",
            "0.28.0",
            {"any": "3176c865b786dfec4e54251759f98e5a00733035f1f256e8c09909c59b5353d2"},
            [("rawpy-0.28.0/external/LibRaw/libraw/*", "include/libraw/")],
        ),
    ],
    "onnxruntime": [
        Archive(
            "onnxruntime",
            "1.32.0",
            {
                "x86_64": "5a34fc4dfeb5a7b4a74c95dcba1e773d722abda720b474edf1b0c419dc6d163d",
                "aarch64": "2303372a85299b6757b0e11e1cbf13e410ddf7e10c37f4b37e99d1c90e7daf7c",
            },
            [("onnxruntime/capi/libonnxruntime.so.1.32.0", "lib/libonnxruntime.so.1")],
        )
    ],
}

# pip reads a source archive's metadata before it hands the file over, and asks the archive's build system for it. This
# stands in for that build system and answers from the archive's own PKG-INFO, so that nothing is built or run.
METADATA_ONLY_BUILD_SYSTEM = """
    import os, shutil

    def get_requires_for_build_wheel(config_settings=None):
        return []

    def prepare_metadata_for_build_wheel(folder, config_settings=None):
        with open("PKG-INFO", encoding="utf-8") as info:
            fields = dict(line.strip().split(": ", 1) for line in info if line.startswith(("Name: ", "Version: ")))
        name = "%s-%s.dist-info" % (fields["Name"], fields["Version"])
        os.mkdir(os.path.join(folder, name))
        shutil.copy("PKG-INFO", os.path.join(folder, name, "METADATA"))
        return name
"""


def pip_command() -> list[str]:
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-m", "pip", "--version"], capture_output=True).returncode == 0:
            return [python, "-m", "pip"]
    raise FetchError("pip is missing: install the package python3-pip")


def reason_from_pip(text: str) -> str:
    """pip calls an unreachable index "no matching distribution", below a warning that names the real cause."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in lines:
        if line.startswith("WARNING: Retrying"):
            return "the Python package index does not answer (offline? PIP_INDEX_URL?)"
        if "DO NOT MATCH THE HASHES" in line:
            return "the index gave a file whose SHA-256 is not the pinned one"
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (errors or lines or ["pip said nothing"])[-1]


def download(archive: Archive, machine: str, folder: pathlib.Path) -> pathlib.Path:
    """The archive's file in `folder`, its SHA-256 checked by pip and again here."""
    title = f"{archive.package} {archive.version}"
    digest = archive.digest(machine)
    folder.mkdir(parents=True)
    requirements = folder / "requirements.txt"
    requirements.write_text(f"{archive.package}=={archive.version} --hash=sha256:{digest}\n")
    environment = dict(os.environ)
    if archive.is_source:
        stand_in = folder / "build_system" / "setuptools"
        stand_in.mkdir(parents=True)
        (stand_in / "__init__.py").write_text("")
        (stand_in / "build_meta.py").write_text(textwrap.dedent(METADATA_ONLY_BUILD_SYSTEM))
        environment["PYTHONPATH"] = str(stand_in.parent)
        which = ["--no-binary=:all:", "--no-build-isolation", "--use-pep517", "--ignore-requires-python"]
    else:
        platforms = [f"--platform=manylinux_2_{minor}_{machine}" for minor in (28, 27)]
        which = ["--only-binary=:all:", "--implementation=cp", "--python-version=3.11", *platforms]
    files = folder / "files"
    command = [*pip_command(), "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes",
               "--retries=1", *which, "--requirement", str(requirements), "--dest", str(files)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    found = list(files.glob("*")) if files.is_dir() else []
    if result.returncode != 0 or len(found) != 1:
        raise FetchError(f"could not fetch {title}: {reason_from_pip(result.stderr)}")
    if hashlib.sha256(found[0].read_bytes()).hexdigest() != digest:
        raise FetchError(f"could not fetch {title}: {found[0].name} does not have the pinned SHA-256")
    return found[0]


def read_archive(path: pathlib.Path) -> dict[str, bytes]:
    """Regular files only: a link or a device in an archive is not followed."""
    if path.name.endswith(".whl"):
        with zipfile.ZipFile(path) as archive:
            return {info.filename: archive.read(info) for info in archive.infolist() if not info.is_dir()}
    with tarfile.open(path) as archive:
        return {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}


def place(archive: Archive, path: pathlib.Path, tree: pathlib.Path) -> None:
    content = read_archive(path)
    for inside, below in archive.files:
        if inside.endswith("/*"):
            chosen = {name: below + name[len(inside) - 1:] for name in content if name.startswith(inside[:-1])}
        else:
            chosen = {name: below for name in content if name == inside}
        if not chosen:
            raise FetchError(f"{path.name} does not contain {inside}")
        for name, target in chosen.items():
            destination = tree / target
            if not destination.resolve().is_relative_to(tree.resolve()):
                raise FetchError(f"{path.name} wants to write outside its folder: {name}")
            destination.parent.mkdir(parents=True, exist_ok=True)
            destination.write_bytes(content[name])


def pin_text(name: str, machine: str) -> str:
    return "".join(f"{a.package} {a.version} sha256:{a.digest(machine)}\n" for a in PARTS[name])


def is_present(name: str, machine: str, prefix: pathlib.Path) -> bool:
    pin = prefix / name / ".pin"
    return pin.is_file() and pin.read_text() == pin_text(name, machine)


def fetch(name: str, machine: str, prefix: pathlib.Path) -> None:
    prefix.mkdir(parents=True, exist_ok=True)
    for left_over in prefix.glob(f".tmp-{name}-*"):  # of a run that was killed
        shutil.rmtree(left_over, ignore_errors=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix=f".tmp-{name}-", dir=prefix))
    try:
        tree = work / "tree"
        for number, archive in enumerate(PARTS[name]):
            place(archive, download(archive, machine, work / f"download-{number}"), tree)
        (tree / ".pin").write_text(pin_text(name, machine))
        final = prefix / name
        if final.exists():
            final.rename(work / "old")
        tree.rename(final)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=["wgpu", "libraw"], metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--prefix", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent / "deps")
    parser.add_argument("--check", action="store_true", help="fetch nothing; exit 1 when a part is missing or outdated")
    parser.add_argument("--quiet", action="store_true", help="say nothing of parts that are there")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.parts if name not in PARTS]
    if unknown:
        parser.error(f"unknown part {unknown[0]}: choose from {', '.join(PARTS)}")

    machine = platform.machine()
    failed = False
    for name in arguments.parts:
        title = ", ".join(dict.fromkeys(f"{a.package} {a.version}" for a in PARTS[name]))
        if is_present(name, machine, arguments.prefix):
            if not arguments.quiet:
                print(f"{name}: {title} is there")
            continue
        if arguments.check:
            failed = True
            continue
        try:
            missing = [a for a in PARTS[name] if a.digest(machine) is None]
            if missing:
                raise FetchError(f"{title} has no prebuilt library for {machine}")
            fetch(name, machine, arguments.prefix)
            print(f"{name}: {title} placed in {arguments.prefix / name}")
        except (FetchError, OSError, zipfile.BadZipFile, tarfile.TarError) as error:
            print(f"{name}: {error}. Nothing was changed in {arguments.prefix / name}.", file=sys.stderr)
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
