"""What the tests of the programs share: running one, small inputs from the analytic scene, reading what came out."""
import functools
import json
import os
import pathlib
import re
import struct
import subprocess
import tempfile
import unittest
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("IMAGO_BIN", ROOT / "build/dev/bin")).resolve()
FORGOTTEN = ("IMAGO_", "WGPU_", "RUST_LOG", "GPU_REQUIRED")  # what the caller has set must not change a test


def environment(**changes):
    env = {name: value for name, value in os.environ.items() if not name.startswith(FORGOTTEN)}
    env.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())
    env["IMAGO_GPU"] = "0"  # starting a device takes a while; tests of the GPU ask for it
    env.update(changes)
    return {name: value for name, value in env.items() if value is not None}


SOFTWARE_GPU = {"IMAGO_GPU": None, "IMAGO_GPU_SOFTWARE": "1"}


def run(program, *arguments, env=None, timeout=300, **options):
    command = [BIN / program, *map(os.fspath, map(lambda a: a if isinstance(a, os.PathLike) else str(a), arguments))]
    return subprocess.run(command, env=environment(**(env or {})), timeout=timeout, capture_output=True, text=True,
                          encoding="utf-8", **options)


@functools.cache
def scene_bytes(*arguments):
    """A file that imago-demo-scene makes: ("--raw", "--size", "90x60") gives a DNG, ("--pano", …) a PNG."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / ("scene.dng" if arguments[0] == "--raw" else "scene.png")
        done = run("imago-demo-scene", arguments[0], path, *arguments[1:])
        assert done.returncode == 0, done.stderr
        return path.read_bytes()


def samples(name):
    for root in (os.environ.get("IMAGO_SAMPLES"), ROOT / "../shared/samples"):
        if root and (pathlib.Path(root) / name).is_dir():
            return pathlib.Path(root) / name
    raise unittest.SkipTest(f"SKIPPED: samples not found: {name} (set IMAGO_SAMPLES)")


def software_gpu():
    """Skips, or fails when GPU_REQUIRED=1, where not even a software adapter is."""
    answer = json.loads(run("imago-cli", "gpu", "--json", env=SOFTWARE_GPU).stdout)
    if answer["available"]:
        return
    if os.environ.get("GPU_REQUIRED") == "1":
        raise AssertionError(answer["reason"])
    raise unittest.SkipTest(f"SKIPPED: {answer['reason']}")


class ProgramTest(unittest.TestCase):
    """A fresh folder a test, and what every failure has to be like."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="imago-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def raw(self, name="scene.dng", *arguments):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(scene_bytes("--raw", "--size", "96x64", "--iso", "0", *arguments))
        return path

    def panorama(self, name, *arguments):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(scene_bytes("--pano", "--pano-size", "128x64", *arguments))
        return path

    def files(self, folder=None):
        folder = folder or self.folder
        return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())

    def assert_code(self, done, code):
        self.assertEqual(done.returncode, code, f"{done.args}\n{done.stdout}{done.stderr}")

    def assert_one_error(self, done, code, *words):
        """The exit code, one line that starts with "error: " and holds the words, and no other line."""
        self.assert_code(done, code)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertTrue(lines[0].startswith("error: "), lines[0])
        for word in words:
            self.assertIn(word, lines[0])


def json_lines(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


def image_size(path):
    """Width and height of a JPEG, PNG or little-endian TIFF."""
    data = pathlib.Path(path).read_bytes()
    if data.startswith(b"\x89PNG"):
        return struct.unpack(">II", data[16:24])
    if data.startswith(b"II*\0"):
        at = struct.unpack_from("<I", data, 4)[0]
        tags = {}
        for i in range(struct.unpack_from("<H", data, at)[0]):
            tag, kind = struct.unpack_from("<HH", data, at + 2 + 12 * i)
            tags[tag] = struct.unpack_from("<H" if kind == 3 else "<I", data, at + 2 + 12 * i + 8)[0]
        return tags[256], tags[257]
    assert data.startswith(b"\xff\xd8") and data.endswith(b"\xff\xd9"), f"{path}: no whole JPEG"
    at = 2
    while True:
        marker, length = struct.unpack_from(">HH", data, at)
        if 0xFFC0 <= marker <= 0xFFC2:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        at += 2 + length


def png_rows(path):
    """Rows of bytes of an 8-bit RGB PNG."""
    data = pathlib.Path(path).read_bytes()
    width, height, bits, color = struct.unpack(">IIBB", data[16:26])
    assert (bits, color) == (8, 2), f"{path}: not 8-bit RGB"
    packed, at = b"", 8
    while at < len(data):
        length = struct.unpack_from(">I", data, at)[0]
        if data[at + 4:at + 8] == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    raw, stride = zlib.decompress(packed), 3 * width
    rows, above = [], bytearray(stride)
    for y in range(height):
        kind = raw[y * (stride + 1)]
        row = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride):
            left = row[x - 3] if x >= 3 else 0
            corner = above[x - 3] if x >= 3 else 0
            row[x] = (row[x] + predicted(kind, left, above[x], corner)) & 255
        rows.append(bytes(row))
        above = row
    return rows


def predicted(kind, left, up, corner):
    if kind == 0:
        return 0
    if kind == 1:
        return left
    if kind == 2:
        return up
    if kind == 3:
        return (left + up) // 2
    guess = left + up - corner
    return min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]


def option_names(help_text):
    return re.findall(r"(?<![\w-])--[a-z][a-z-]*", help_text)
