"""Help, versions, wrong calls, environment variables."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import programs
from programs import BIN, ProgramTest, ROOT, SOFTWARE_GPU, environment, json_lines, run

CODES = ["0 ok", "1 some inputs failed", "2 usage", "3 unreadable", "4 output not writable", "5 out of memory",
         "6 GPU required but absent", "130 interrupted"]
COMMON = ["--log-level", "--json"]
STAGE = ["--project", "--input-dir", "--output-dir", "--force", "--update", "--shard"]
COMMANDS = {
    ("imago-cli", "render"): ["--output", "--recursive", "--name", "--size", "--width", "--height", "--megapixels",
                              "--percent", "--upscale", "--format", "--bits", "--quality", "--lossless", "--chroma",
                              "--progressive", "--compression", "--ppi", "--space", "--intent", "--no-black-point",
                              "--sharpen-for", "--sharpen-amount", "--metadata", "--artist", "--copyright", "--set",
                              "--preset", "--xmp", "--lut",
                              "--show-range", "--camera-profile", "--frame", "--allow-damaged", "--no-sidecar", "--conflict", "--jobs", "--timeout", "--backend", *COMMON],
    ("imago-cli", "edit"): ["--set", "--reset", *COMMON],
    ("imago-cli", "info"): COMMON,
    ("imago-cli", "preview"): ["--output", "--quality", *COMMON],
    ("imago-cli", "gpu"): COMMON,
    ("imago-cli", "settings"): [],
    ("pipeline_360", "frames"): ["--project", "--output-dir", "--fps", "--every", "--count", "--start", "--end",
                                 "--select", "--min-sharpness", "--min-motion", "--projection", "--eye", "--hdr",
                                 "--fisheye-fov", "--fisheye-circle", "--gpx", "--gpx-offset", "--frame-format",
                                 "--frame-quality", "--force", "--update", "--shard", *COMMON],
    ("pipeline_360", "equirect"): [*STAGE, "--level", "--heading", "--pano-yaw", "--quality", *COMMON],
    ("pipeline_360", "sfm"): ["--project", "--cubemap-dir", "--output-dir", "--colmap", "--matcher", "--mapper",
                              "--script-only", "--force", "--update", *COMMON],
    ("pipeline_360", "dataset"): ["--project", "--cubemap-dir", "--model-dir", "--output-dir", "--dataset",
                                  "--colmap-model", "--drop-faces", "--force", "--update", *COMMON],
    ("pipeline_360", "status"): COMMON,
    ("pipeline_360", "verify"): COMMON,
    ("pipeline_360", "doctor"): ["--colmap", *COMMON],
    ("pipeline_360", "cubemap"): [*STAGE, "--layout", "--fov", "--faces", "--yaw", "--face-size", "--filter",
                                  "--format", "--quality", "--linear-light", "--backend", *COMMON],
}
MASKS = [*STAGE, "--mask-model", "--mask-device", "--mask-device-strict", "--mask-ep-cache", "--mask-imgsz",
         "--mask-confidence", "--mask-iou", "--mask-classes", "--mask-face-classes", "--mask-dilate", "--mask-nadir",
         "--mask-nadir-image", "--mask-seam", "--mask-overexposed", "--mask-rotations", "--mask-vote", "--mask-temporal",
         "--mask-overlay", *COMMON]
if "--mask-model" in run("pipeline_360", "masks", "--help").stdout:  # else built with PIPELINE_360_MASKS=OFF
    COMMANDS["pipeline_360", "masks"] = MASKS
# run has what its stages have, besides their folders.
COMMANDS["pipeline_360", "run"] = ["--input", "--until"] + sorted(
    {option for stage in ("frames", "equirect", "cubemap", "masks", "sfm", "dataset")
     for option in COMMANDS.get(("pipeline_360", stage), [])}
    - {"--project", "--input-dir", "--output-dir", "--cubemap-dir", "--model-dir", "--script-only"})


class Help(ProgramTest):
    def test_names_every_command_and_exit_code(self):
        for program in ("imago-cli", "pipeline_360"):
            done = run(program, "--help")
            self.assert_code(done, 0)
            for _, command in (names for names in COMMANDS if names[0] == program):
                self.assertIn(f"  {command} ", done.stdout)
            for code in CODES:
                self.assertIn(code, done.stdout)

    def test_of_a_command_names_every_option_and_exit_code(self):
        for (program, command), options in COMMANDS.items():
            done = run(program, command, "--help")
            self.assert_code(done, 0)
            for text in [*options, *CODES]:
                self.assertIn(text, done.stdout, f"{program} {command}")
            shown = set(programs.option_names(done.stdout.split("Options:")[1])) - {"--help"}
            self.assertEqual(shown - set(options), set(), "an option that this test does not know")

    def test_of_render_says_where_the_settings_stand(self):
        self.assertIn("imago-cli settings", run("imago-cli", "render", "--help").stdout)

    def test_version_is_one_line(self):
        for program in ("imago-cli", "pipeline_360"):
            done = run(program, "--version")
            self.assert_code(done, 0)
            self.assertRegex(done.stdout, rf"^{program} \d+\.\d+\.\d+\n$")


class WrongCalls(ProgramTest):
    def test_end_with_2_and_say_what_is_wrong(self):
        photo = self.raw()
        out = self.folder / "out.jpg"
        cases = [
            (["imago-cli"], "subcommand"),
            (["imago-cli", "rendr"], "rendr"),
            (["imago-cli", "render"], "IN"),
            (["imago-cli", "render", photo], "--output"),
            (["imago-cli", "render", photo, "-o", out, "--bogus"], "--bogus"),
            (["imago-cli", "render", photo, "-o", out, "--size", "0"], "--size"),
            (["imago-cli", "render", photo, "-o", out, "--size", "many"], "--size"),
            (["imago-cli", "render", photo, "-o", out, "--quality", "101"], "--quality"),
            (["imago-cli", "render", photo, "-o", out, "--jobs", "0"], "--jobs"),
            (["imago-cli", "render", photo, "-o", out, "--format", "gif"], "gif"),
            (["imago-cli", "render", photo, "-o", out, "--format", "png"], "--format png"),
            (["imago-cli", "render", photo, "-o", out, "--bits", "16"], "--bits 16"),
            (["imago-cli", "render", photo, "-o", out, "--bits", "12"], "--bits 12"),
            (["imago-cli", "render", photo, "-o", out, "--space", "cmyk"], "--space"),
            (["imago-cli", "render", photo, "-o", out, "--space", photo], "not an ICC profile"),
            (["imago-cli", "render", photo, "-o", out, "--intent", "vivid"], "--intent"),
            (["imago-cli", "render", photo, "-o", out, "--bits", "10"], "avif"),
            (["imago-cli", "render", photo, "-o", self.folder / "out.avif", "--bits", "16"], "12 with avif"),
            (["imago-cli", "render", photo, "-o", self.folder / "out.webp", "--bits", "16"], "png, tif, jxl"),
            (["imago-cli", "render", photo, "-o", out, "--lossless"], "webp, avif or jxl"),
            (["imago-cli", "render", photo, "-o", out, "--metadata", "some"], "--metadata"),
            (["imago-cli", "render", photo, "-o", out, "--percent", "0"], "--percent"),
            (["imago-cli", "render", photo, "-o", self.folder / "d", "--name", "{nme}"], "{nme}"),
            (["imago-cli", "render", photo, "-o", self.folder / "d", "--name", "{name"], "without its }"),
            (["imago-cli", "render", photo, "-o", self.folder / "d", "--name", "../{name}"], "leaves"),
            (["imago-cli", "render", photo, "-o", out, "--timeout", "-1"], "--timeout"),
            (["imago-cli", "render", photo, "-o", out, "--backend", "tpu"], "--backend"),
            (["imago-cli", "render", photo, "-o", out, "--log-level", "loud"], "loud"),
            (["imago-cli", "render", photo, photo, "-o", out], "folder"),
            (["imago-cli", "render", photo, "-o", out, "--set", "exposre.ev=1"], "exposre"),
            (["imago-cli", "render", photo, "-o", out, "--set", "exposure.evs=1"], "exposure.evs"),
            (["imago-cli", "render", photo, "-o", out, "--set", "exposure.ev=9"], "exposure.ev = 9 is outside -5..5"),
            (["imago-cli", "render", photo, "-o", out, "--set", "exposure.ev=bright"], "exposure.ev"),
            (["imago-cli", "render", photo, "-o", out, "--set", "exposure.ev=nan"], "exposure.ev"),
            (["imago-cli", "render", photo, "-o", out, "--set", "exposure"], "exposure"),
            (["imago-cli", "render", photo, "-o", out, "--set", "look.display=film"], "look.display"),
            (["imago-cli", "render", photo, "-o", out, "--set", "curve.rgb=[{"], "curve.rgb"),
            (["imago-cli", "render", photo, "-o", out, "--set", 'curve.rgb=[{"x":2,"y":0}]'], "curve.rgb"),
            (["imago-cli", "edit", photo, "--set", "tone.shadows=101"], "tone.shadows = 101 is outside -100..100"),
            (["imago-cli", "info"], "IN"),
            (["pipeline_360"], "subcommand"),
            (["pipeline_360", "cubemap", "--input-dir", self.folder], "--output-dir"),
            (["pipeline_360", "cubemap", "--input-dir", self.folder, "--output-dir", out, "--fov", "200"], "--fov"),
            (["pipeline_360", "cubemap", "--input-dir", self.folder, "--output-dir", out, "--face-size", "-3"],
             "--face-size"),
            (["pipeline_360", "cubemap", "--input-dir", self.folder, "--output-dir", out, "--layout", "cube7"],
             "cube7"),
            (["pipeline_360", "cubemap", "--input-dir", self.folder, "--output-dir", out, "--filter", "box"],
             "--filter"),
        ]
        for arguments, word in cases:
            with self.subTest(" ".join(map(str, arguments))):
                done = run(*arguments)
                self.assert_code(done, 2)
                self.assertIn(word, done.stderr)
                self.assertLess(len(done.stderr.splitlines()), 4, done.stderr)
        self.assertEqual(self.files(), ["scene.dng"])

    def test_an_output_that_is_its_own_input_is_refused(self):
        photo = self.panorama("photo.png")
        before = photo.read_bytes()
        done = run("imago-cli", "render", photo, "-o", photo)
        self.assert_one_error(done, 2, "overwrite")
        self.assertEqual(photo.read_bytes(), before)


class StandardOutput(ProgramTest):
    @unittest.skipUnless(os.path.exists("/dev/full"), "SKIPPED: no /dev/full here")
    def test_that_takes_nothing_ends_with_4(self):
        photo = self.raw()
        for arguments in (["settings"], ["info", photo, "--json"],
                          ["render", photo, "-o", self.folder / "out.jpg", "--json"]):
            with open("/dev/full", "w") as full:
                done = subprocess.run([BIN / "imago-cli", *arguments], env=environment(), stdout=full,
                                      stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 4, arguments)
            self.assertIn("error: cannot write to standard output", done.stderr)


class Settings(ProgramTest):
    def listed(self):
        """Names, ranges and defaults of `imago-cli settings`."""
        done = run("imago-cli", "settings")
        self.assert_code(done, 0)
        rows = [re.split(r"(?<!\\) \| ", line.strip("| ")) for line in done.stdout.splitlines() if line.startswith("| `")]
        return {row[0].strip("`"): (row[2].replace("\\|", "|"), row[4]) for row in rows}

    def test_list_every_field_of_the_sources(self):
        declared = set()
        for header in (ROOT / "src/develop/settings").glob("*.h"):
            declared.update(re.findall(r'\{\.name = "(\w+)"', header.read_text(encoding="utf-8")))
        listed = {re.split(r"\.", name)[-1] for name in self.listed()}
        self.assertEqual(declared, {name.replace("[]", "") for name in listed})
        self.assertGreater(len(declared), 20)

    def value_for(self, name, text, default, listed):
        """One that differs from the default, as --set takes it."""
        if "items" in text:
            item = {}
            for member, (member_range, member_default) in listed.items():
                if member.startswith(name + "[].") and "[]" not in member[len(name) + 3:]:
                    item[member.split(".")[-1]] = json.loads(self.value_for(member, member_range, member_default, listed))
            return json.dumps([item])
        if ".." in text:
            low, high = map(float, text.split(".."))
            value = low if low != float(default) else high
            return f"{value:g}"
        choices = [choice.strip() for choice in text.split("|")]
        chosen = next((choice for choice in choices if choice != default), choices[0])
        return chosen if "[]" not in name or chosen in ("true", "false") else json.dumps(chosen)

    def test_all_reach_the_sidecar_and_come_back(self):
        photo = self.raw()
        listed = self.listed()
        arguments, wanted = [], {}
        for name, (text, default) in listed.items():
            if "[]" in name:
                continue
            value = self.value_for(name, text, default, listed)
            arguments += ["--set", f"{name}={value}"]
            wanted[name] = value
        done = run("imago-cli", "edit", photo, *arguments, "--json")
        self.assert_code(done, 0)
        (line,) = json_lines(done)
        sidecar = (photo.parent / (photo.name + ".xmp")).read_text(encoding="utf-8")
        for name, value in wanted.items():
            tool, field = name.split(".")
            got = line["settings"][tool][field]
            try:
                expected = json.loads(value)
            except json.JSONDecodeError:
                expected = value
            if isinstance(expected, list):
                # Members at their default may be left out.
                self.assertEqual(got, [{k: v for k, v in expected[0].items() if k in got[0]}], name)
            else:
                self.assertEqual(got, expected, name)
            self.assertIn(field, sidecar)
        self.assertEqual(json_lines(run("imago-cli", "edit", photo, "--json")), [line])
        run("imago-cli", "edit", photo, "--reset")
        self.assertEqual(json_lines(run("imago-cli", "edit", photo, "--json"))[0]["settings"], {})

    def test_several_may_stand_before_the_inputs(self):
        done = run("imago-cli", "render", "--set", "exposure.ev=1", "--set", "tone.shadows=20", self.raw("a.dng"),
                   self.raw("b.dng"), "-o", self.folder / "out")
        self.assert_code(done, 0)
        self.assertEqual(self.files(self.folder / "out"), ["a.jpg", "b.jpg"])

    def test_in_a_sidecar_count_unless_left_aside(self):
        photo = self.raw()
        run("imago-cli", "edit", photo, "--set", "exposure.ev=-5")

        def brightness(*arguments):
            out = self.folder / "out.png"
            self.assert_code(run("imago-cli", "render", photo, "-o", out, *arguments), 0)
            rows = programs.png_rows(out)
            return sum(map(sum, rows)) / sum(map(len, rows))

        self.assertLess(brightness(), 30)
        self.assertGreater(brightness("--no-sidecar"), 60)
        self.assertGreater(brightness("--set", "exposure.ev=0"), 60)


class Environment(ProgramTest):
    def test_any_value_of_the_gpu_variables_is_survived(self):
        cases = []
        for name in ("IMAGO_GPU_BACKEND", "WGPU_BACKEND"):
            for value in ("dx12", "vulkan", "metal", "gl", "auto", "off", "vulkan,metal", "gl,vulkan", "VULKAN", "", ",",
                          "cuda", "ä"):
                cases.append((name, value))
        for value in ("high", "low", "none", "fast"):
            cases.append(("WGPU_POWER_PREF", value))
        for value in ("webgpu", "downlevel", "16", "0", "-1", "many"):
            cases.append(("IMAGO_GPU_LIMITS", value))
        for name, value in cases:
            with self.subTest(f"{name}={value}"):
                done = run("imago-cli", "gpu", "--json", env={**SOFTWARE_GPU, name: value})
                self.assert_code(done, 0)
                answer = json.loads(done.stdout)
                self.assertTrue(answer["available"] or answer["reason"])
                if value == "off":
                    self.assertIn(name, answer["reason"])

    def test_a_gpu_that_is_switched_off_says_so(self):
        self.assertEqual(json_lines(run("imago-cli", "gpu", "--json")),
                         [{"available": False, "reason": "disabled by IMAGO_GPU=0"}])
        self.assertIn("disabled by IMAGO_GPU=0", run("imago-cli", "gpu").stdout)

    def test_a_software_gpu_is_skipped_with_a_line_unless_asked_for(self):
        programs.software_gpu()
        answer = json.loads(run("imago-cli", "gpu", "--json", env=SOFTWARE_GPU).stdout)
        self.assertEqual(set(answer), {"available", "adapter", "limits"})
        self.assertEqual(set(answer["adapter"]), {"name", "type", "backend", "driver"})
        if answer["adapter"]["type"] != "Cpu":
            self.skipTest("SKIPPED: a real GPU is here")
        done = run("imago-cli", "gpu", "--json", env={"IMAGO_GPU": None})
        self.assertIn("[gpu] skipped", done.stderr)
        self.assertIn("IMAGO_GPU_SOFTWARE=1", json.loads(done.stdout)["reason"])
        self.assertIn("[gpu] using", run("imago-cli", "gpu", env=SOFTWARE_GPU).stderr)

    def test_the_selftest_compares_both_sides_and_needs_a_gpu(self):
        programs.software_gpu()
        done = run("imago-cli", "gpu", "selftest", "--json", env=SOFTWARE_GPU)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        adapter, *cases = json_lines(done)
        self.assertTrue(adapter["available"])
        self.assertGreaterEqual(len(cases), 10)
        for case in cases:
            self.assertTrue(case["ok"], case)
            self.assertLessEqual(case["largest"], 3, case)
        self.assertEqual(run("imago-cli", "gpu", "selftest").returncode, 6)

    def test_a_marker_of_a_crash_in_the_driver_keeps_the_gpu_off(self):
        programs.software_gpu()
        with tempfile.TemporaryDirectory() as config:
            marker = pathlib.Path(config, "imago", "gpu-init.marker")
            marker.parent.mkdir()
            marker.touch()
            env = {**SOFTWARE_GPU, "XDG_CONFIG_HOME": config, "IMAGO_NO_PREFS": None}
            done = run("imago-cli", "gpu", "--json", env=env)
            self.assertIn("an earlier start ended inside the GPU's driver", json.loads(done.stdout)["reason"])
            self.assertIn("gpu-init.marker", done.stderr)
            self.assertTrue(marker.exists(), "a command line tool only reads it")
            again = run("imago-cli", "gpu", "--json", env={**env, "IMAGO_NO_PREFS": "1"})
            self.assertTrue(json.loads(again.stdout)["available"])

    def test_log_levels(self):
        photo, out = self.raw(), self.folder / "out.jpg"

        def lines(*arguments, **env):
            done = run("imago-cli", "render", photo, "-o", out, *arguments, env=env)
            self.assert_code(done, 0)
            return len(done.stderr.splitlines())

        self.assertGreater(lines(), 0)
        for quiet in ("off", "error", "warn"):
            self.assertEqual(lines(RUST_LOG=quiet), 0, quiet)
            self.assertEqual(lines("--log-level", quiet), 0, quiet)
        for loud in ("info", "debug", "trace", "wgpu=error,imago=info"):
            self.assertGreater(lines(RUST_LOG=loud), 0, loud)
        self.assertGreater(lines("--log-level", "info", RUST_LOG="off"), 0)
        self.assertGreater(lines(RUST_LOG="nonsense"), 0)


if __name__ == "__main__":
    unittest.main()
