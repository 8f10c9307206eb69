"""The tools that check and feed the build: run by ctest, or by `python3 tests/tools/tools_test.py`."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

TABLE = """
| folder | holds | may use |
|---|---|---|
| `src/base` | errors | – |
| `src/image` | pixels | base |
| `src/gpu` | device | image |
| `src/scene` | truth | base |
| `src/develop/tools/<tool>` | tools | image |
| `src/develop` | plan | tools, gpu |
| `apps` | programs | all |
"""


def run(tool: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, str(ROOT / "tools" / tool), *arguments],
        env={**os.environ, **environment}, capture_output=True, text=True, timeout=120,
    )


class Tree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)

    def write(self, name: str, text: str):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)


class Layers(Tree):
    def problems(self, **files: str) -> str:
        self.write("ARCHITECTURE.md", TABLE)
        self.write("apps/cli/cli.h", "")
        self.write("src/base/error.h", "")
        self.write("src/gpu/gpu.h", "")
        self.write("src/image/image.h", '#include "base/error.h"\n')
        self.write("src/scene/scene.h", '#include "base/error.h"\n#include <gpu/gpu.h>\n')
        self.write("src/develop/plan.cpp", '#include "gpu/gpu.h"\n#include "develop/tools/exposure/exposure.h"\n')
        self.write("src/develop/tools/exposure/exposure.h", '#include "image/image.h"\n#include "base/error.h"\n')
        self.write("apps/demo/main.cpp", '#include "cli/cli.h"\n#include "develop/plan.h"\n#include "webgpu/webgpu.h"\n')
        for name, text in files.items():
            self.write(name, text)
        result = run("check_layers.py", "--root", self.folder.name)
        self.assertEqual(result.returncode, 1 if result.stderr else 0)
        return result.stderr

    def test_a_tree_in_order_passes(self):
        self.assertEqual(self.problems(), "")

    def test_an_include_of_a_higher_layer_is_seen(self):
        self.assertIn("src/base/error.h:1: src/base may not use src/gpu", self.problems(**{"src/base/error.h": '#include "gpu/gpu.h"'}))

    def test_an_include_by_a_relative_path_is_seen(self):
        self.assertIn("src/image may not use src/gpu", self.problems(**{"src/image/a.cpp": '# include "../gpu/gpu.h"'}))

    def test_an_include_of_a_kernel_counts_as_its_folder(self):
        self.assertIn("src/gpu may not use src/develop/tools",
                      self.problems(**{"src/gpu/a.cpp": '#include "develop/tools/exposure/exposure.wgsl.h"'}))

    def test_a_tool_may_not_use_what_uses_it(self):
        self.assertIn("src/develop/tools may not use src/develop ",
                      self.problems(**{"src/develop/tools/x/x.h": '#include "develop/plan.h"'}) + " ")

    def test_a_folder_that_the_table_lacks_is_seen(self):
        self.assertIn("src/utils/a.h: its folder is not", self.problems(**{"src/utils/a.h": ""}))

    def test_tests_may_use_the_scene_and_code_may_not(self):
        include = '#include "scene/scene.h"'
        self.assertEqual(self.problems(**{"src/gpu/gpu_test.cpp": include}), "")
        self.assertIn("may not use src/scene", self.problems(**{"src/gpu/gpu.cpp": include}))


@unittest.skipUnless(shutil.which("git"), "the check asks git which files there are")
class Source(Tree):
    def problems(self, **files: str) -> str:
        subprocess.run(["git", "init", "--quiet", self.folder.name], check=True)
        for name, text in files.items():
            self.write(name, text)
        return run("check_source.py", "--root", self.folder.name).stderr

    def test_webgpu_is_for_src_gpu(self):
        text = "#include <webgpu/webgpu.h>\nvoid f() { wgpuQueueSubmit(q, 0, nullptr); }\n"
        self.assertEqual(self.problems(**{"src/gpu/a.cpp": text}), "")
        self.assertEqual(self.problems(**{"src/pano/a.cpp": text}).count("\n"), 2)

    def test_functions_that_end_the_process_are_for_nobody(self):
        for call in ("wgpuBufferSetLabel(b, l)", "wgpuDeviceCreateComputePipelineAsync(d)", "wgpuBufferGetMapState(b)"):
            self.assertIn("ends the process", self.problems(**{"src/gpu/a.cpp": f"void f() {{ {call}; }}\n"}), call)

    def test_the_library_does_not_print_or_exit(self):
        self.assertIn("never prints", self.problems(**{"src/base/a.cpp": "void f() { std::cerr << 1; }\n"}))
        self.assertIn("never ends", self.problems(**{"src/base/a.cpp": "void f() { std::exit(1); }\n"}))
        self.assertEqual(self.problems(**{"src/base/a.cpp": "void f() { on_exit(1); }  // exit(1)\n"}), "")


class Fetch(Tree):
    def fetch(self, index: str) -> subprocess.CompletedProcess:
        environment = {"PIP_INDEX_URL": index, "PIP_FIND_LINKS": "", "PIP_EXTRA_INDEX_URL": "", "PIP_CONFIG_FILE": os.devnull}
        return run("fetch_deps.py", "--prefix", str(self.root / "deps"), "wgpu", **environment)

    def left_over(self) -> list[str]:
        return [path.name for path in (self.root / "deps").rglob("*")]

    def test_offline_names_the_package_and_leaves_nothing(self):
        result = self.fetch("http://127.0.0.1:9/simple")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"could not fetch wgpu \d.*does not answer")
        self.assertEqual(self.left_over(), [])

    def test_a_file_with_another_content_is_refused(self):
        for machine in ("x86_64", "aarch64"):
            self.write(f"index/wgpu/wgpu-0.32.0-py3-none-manylinux_2_28_{machine}.whl", "not this")
        links = "".join(f'<a href="{path.name}">{path.name}</a>' for path in (self.root / "index/wgpu").iterdir())
        self.write("index/wgpu/index.html", f"<!DOCTYPE html><html><body>{links}</body></html>")
        result = self.fetch((self.root / "index").as_uri())
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "could not fetch wgpu 0.32.0: .*SHA-256 is not the pinned one")
        self.assertEqual(self.left_over(), [])

    def test_what_is_there_stays_when_a_fetch_fails(self):
        self.write("deps/wgpu/.pin", "another version")
        self.write("deps/wgpu/lib/libwgpu_native.so", "old")
        self.assertEqual(self.fetch("http://127.0.0.1:9/simple").returncode, 1)
        self.assertEqual((self.root / "deps/wgpu/lib/libwgpu_native.so").read_text(), "old")


if __name__ == "__main__":
    unittest.main()
