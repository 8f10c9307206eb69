"""imago-cli render: pictures, batches, names, outputs that cannot be written, interruption."""
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import zlib

import programs
from programs import BIN, ProgramTest, SOFTWARE_GPU, environment, image_size, json_lines, png_rows, run

BROKEN = b"II*\0\x08\0\0\0 this is no raw file at all"


class Pictures(ProgramTest):
    def test_have_the_format_and_size_that_were_asked_for(self):
        photo = self.raw()
        for name, arguments, size in [
            ("a.jpg", [], (96, 64)), ("a.jpeg", ["--quality", "30"], (96, 64)), ("a.JPG", ["--size", "48"], (48, 32)),
            ("a.png", ["--bits", "16"], (96, 64)), ("b.png", ["--size", "30"], (30, 20)),
            ("a.tif", ["--bits", "32", "--space", "rec2020"], (96, 64)), ("b.tiff", ["--size", "500"], (96, 64)),
            ("c.jpg", ["--set", "geometry.quarter_turns=1"], (64, 96)),
            ("d.jpg", ["--set", "geometry.crop_right=0.5", "--space", "p3"], (48, 64)),
        ]:
            with self.subTest(name):
                out = self.folder / "out" / name
                out.parent.mkdir(exist_ok=True)
                done = run("imago-cli", "render", photo, "-o", out, *arguments, "--json")
                self.assert_code(done, 0)
                self.assertEqual(image_size(out), size)
                (line,) = json_lines(done)
                self.assertEqual((line["width"], line["height"]), size)

    def test_are_the_same_on_every_way(self):
        photo = self.raw()
        run("imago-cli", "render", photo, "-o", self.folder / "a.png")
        reference = (self.folder / "a.png").read_bytes()
        for name, arguments, env in [("jobs", ["--jobs", "1"], {}), ("threads", [], {"IMAGO_THREADS": "1"}),
                                     ("cpu", ["--backend", "cpu"], {"IMAGO_GPU": None})]:
            run("imago-cli", "render", photo, "-o", self.folder / "b.png", *arguments, env=env)
            self.assertEqual((self.folder / "b.png").read_bytes(), reference, name)

    def test_smaller_quality_makes_smaller_files(self):
        photo = self.raw()
        sizes = []
        for quality in ("20", "60", "98"):
            run("imago-cli", "render", photo, "-o", self.folder / "out.jpg", "--quality", quality)
            sizes.append((self.folder / "out.jpg").stat().st_size)
        self.assertEqual(sizes, sorted(sizes))
        self.assertLess(sizes[0] * 2, sizes[2])

    def test_json_has_its_keys(self):
        done = run("imago-cli", "render", self.raw(), "-o", self.folder / "out.jpg", "--json")
        self.assert_code(done, 0)
        (line,) = json_lines(done)
        self.assertEqual(set(line), {"input", "output", "width", "height", "bytes", "backend", "ms"})
        self.assertEqual(set(line["ms"]), {"total", "decode", "source", "scene", "base", "finish", "encode"})
        self.assertEqual(line["backend"], "cpu")
        self.assertEqual(line["output"], str(self.folder / "out.jpg"))
        self.assertEqual(line["bytes"], (self.folder / "out.jpg").stat().st_size)

    def test_of_every_format_show_the_same(self):
        photo = self.raw()
        run("imago-cli", "render", photo, "-o", self.folder / "reference.png")
        reference = png_rows(self.folder / "reference.png")
        for name, arguments, worst_mean in [
            ("a.webp", ["--lossless"], 0), ("a.webp", [], 4), ("a.avif", ["--quality", "95"], 2),
            ("a.avif", ["--bits", "10", "--quality", "98"], 2), ("a.avif", ["--bits", "12", "--lossless"], 0.5),
            ("a.jxl", ["--lossless"], 0), ("a.jxl", ["--quality", "95"], 2), ("a.jxl", ["--bits", "16"], 3),
            ("a.jpg", ["--progressive", "--chroma", "420"], 4), ("a.tif", ["--bits", "32", "--space", "prophoto"], 0.5),
            ("a.dng", [], 0.5),  # two roundings to 16 bits, two stops under
        ]:
            with self.subTest(name, arguments=arguments):
                done = run("imago-cli", "render", photo, "-o", self.folder / name, *arguments)
                self.assert_code(done, 0)
                done = run("imago-cli", "render", self.folder / name, "-o", self.folder / "back.png")
                self.assert_code(done, 0)
                values = [(a, b) for one, two in zip(png_rows(self.folder / "back.png"), reference)
                          for a, b in zip(one, two)]
                mean = sum(abs(a - b) for a, b in values) / len(values)
                self.assertLessEqual(mean, worst_mean + 0.3)  # 0.3: dithered twice

    def test_have_the_bounds_that_were_asked_for(self):
        photo = self.raw()  # 96 x 64
        for arguments, size in [
            (["--width", "48"], (48, 32)), (["--height", "16"], (24, 16)), (["--width", "48", "--height", "16"], (24, 16)),
            (["--percent", "25"], (24, 16)), (["--megapixels", "0.001536"], (48, 32)), (["--size", "960"], (96, 64)),
            (["--size", "192", "--upscale"], (192, 128)), (["--percent", "150", "--upscale"], (144, 96)),
            (["--percent", "150"], (96, 64)), (["--width", "9600", "--height", "32", "--upscale"], (48, 32)),
        ]:
            with self.subTest(arguments=arguments):
                self.assert_code(run("imago-cli", "render", photo, "-o", self.folder / "o.png", *arguments), 0)
                self.assertEqual(image_size(self.folder / "o.png"), size)
        done = run("imago-cli", "render", photo, "-o", self.folder / "huge.png", "--upscale", "--percent", "10000000")
        self.assert_code(done, 2)
        done = run("imago-cli", "render", photo, "-o", self.folder / "huge.png", "--upscale", "--size", "65500")
        self.assert_one_error(done, 2, "1000 megapixels")

    def test_are_sharper_for_paper_than_for_a_screen_than_without(self):
        photo = self.raw()

        def contrast(*arguments):
            run("imago-cli", "render", photo, "-o", self.folder / "o.png", *arguments)
            rows = png_rows(self.folder / "o.png")
            return sum(abs(row[i] - row[i + 3]) for row in rows for i in range(len(row) - 3))

        plain, screen, matte = contrast(), contrast("--sharpen-for", "screen"), contrast("--sharpen-for", "matte")
        self.assertLess(plain * 1.01, screen)
        self.assertLess(screen * 1.01, matte)
        self.assertLess(contrast("--sharpen-for", "print", "--sharpen-amount", "low"),
                        contrast("--sharpen-for", "print", "--sharpen-amount", "high"))

    def test_are_in_the_space_of_a_profile_that_they_carry(self):
        photo = self.raw()
        run("imago-cli", "render", photo, "-o", self.folder / "p3.png", "--space", "p3")
        data = (self.folder / "p3.png").read_bytes()
        at = data.index(b"iCCP")
        length = int.from_bytes(data[at - 4:at], "big")
        profile = zlib.decompress(data[at + 4:at + 4 + length].split(b"\0", 1)[1][1:])
        (self.folder / "my p3.icc").write_bytes(profile)
        for intent in ("perceptual", "relative", "saturation", "absolute"):
            done = run("imago-cli", "render", photo, "-o", self.folder / "icc.png", "--space", self.folder / "my p3.icc",
                       "--intent", intent)
            self.assert_code(done, 0)
            self.assertIn(b"iCCP", (self.folder / "icc.png").read_bytes())
            # The scene's colours lie well inside: both ways end within a step of dither and rounding, but where the
            # built-in space maps the gamut's last tenth.
            values = [abs(a - b) for one, two in zip(png_rows(self.folder / "icc.png"), png_rows(self.folder / "p3.png"))
                      for a, b in zip(one, two)]
            self.assertLess(sum(values) / len(values), 0.5, intent)

    def test_say_what_metadata_they_keep(self):
        photo = self.raw()
        for policy, keeps in [("all", True), ("no-gps", True), ("copyright", False), ("none", False)]:
            done = run("imago-cli", "render", photo, "-o", self.folder / "o.jpg", "--metadata", policy, "--artist",
                       "Änne", "--copyright", "© Änne")
            self.assert_code(done, 0)
            data = (self.folder / "o.jpg").read_bytes()
            self.assertEqual(b"Analytic 24" in data, keeps, policy)
            self.assertIn("© Änne".encode(), data)


class Gpu(ProgramTest):
    def test_switched_off_but_required_ends_with_6(self):
        done = run("imago-cli", "render", self.raw(), "-o", self.folder / "out.jpg", "--backend", "gpu")
        self.assert_one_error(done, 6, "disabled by IMAGO_GPU=0")
        self.assertEqual(self.files(), ["scene.dng"])

    def test_renders_what_the_cpu_renders(self):
        programs.software_gpu()
        photo = self.raw()
        settings = ["--set", "exposure.ev=0.5", "--set", "tone.shadows=40", "--set", "geometry.straighten_deg=3"]
        rows = {}
        for backend in ("gpu", "cpu"):
            out = self.folder / f"{backend}.png"
            done = run("imago-cli", "render", photo, "-o", out, "--backend", backend, "--json", *settings,
                       env=SOFTWARE_GPU)
            self.assert_code(done, 0)
            self.assertEqual(json_lines(done)[0]["backend"], backend)
            rows[backend] = png_rows(out)
        worst = max(abs(a - b) for one, two in zip(*rows.values()) for a, b in zip(one, two))
        self.assertLessEqual(worst, 1)


class Batches(ProgramTest):
    def test_go_on_past_broken_files_and_end_with_1(self):
        good = [self.raw("in/a.dng"), self.raw("in/c.dng")]
        broken = self.folder / "in/b.dng"
        broken.write_bytes(BROKEN)
        out = self.folder / "out"
        done = run("imago-cli", "render", good[0], broken, good[1], "-o", out, "--log-level", "error")
        self.assert_one_error(done, 1, "b.dng")
        self.assertEqual(self.files(out), ["a.jpg", "c.jpg"])
        lines = json_lines(run("imago-cli", "render", good[0], broken, good[1], "-o", out, "--json"))
        self.assertEqual([("error" in line, pathlib.Path(line["input"]).name) for line in
                          sorted(lines, key=lambda line: line["input"])],
                         [(False, "a.dng"), (True, "b.dng"), (False, "c.dng")])

    def test_of_broken_files_alone_end_with_3(self):
        paths = []
        for name, content in [("empty.dng", b""), ("noise.cr2", BROKEN), ("text.jpg", b"hello"),
                              ("half.dng", programs.scene_bytes("--raw", "--size", "96x64", "--iso", "0")[:9000])]:
            path = self.folder / name
            path.write_bytes(content)
            paths.append(path)
        for path in [*paths, self.folder / "absent.dng", self.folder]:
            with self.subTest(path.name):
                done = run("imago-cli", "render", path, "-o", self.folder / "out.jpg")
                self.assert_one_error(done, 3, path.name)
        done = run("imago-cli", "render", *paths, "-o", self.folder / "out")
        self.assert_code(done, 3)
        self.assertEqual(len(done.stderr.splitlines()), len(paths))
        self.assertEqual(self.files(self.folder / "out"), [])

    def test_keep_the_whole_name_of_inputs_that_differ_in_extension_alone(self):
        photos = [self.raw("in/a.dng"), self.panorama("in/a.png"), self.raw("in/b.dng")]
        done = run("imago-cli", "render", *photos, "-o", self.folder / "out")
        self.assert_code(done, 0)
        self.assertEqual(self.files(self.folder / "out"), ["a.dng.jpg", "a.png.jpg", "b.jpg"])

    def test_of_one_name_from_two_folders_get_numbers(self):
        photos = [self.raw("one/a.dng"), self.raw("two/a.dng")]
        done = run("imago-cli", "render", *photos, "-o", self.folder / "out")
        self.assert_code(done, 0)
        self.assertEqual(self.files(self.folder / "out"), ["a.dng.jpg", "a.dng_1.jpg"])

    def test_that_would_write_one_file_twice_are_refused(self):
        photos = [self.raw("one/a.dng"), self.raw("two/a.dng")]
        done = run("imago-cli", "render", *photos, "-o", self.folder / "out", "--conflict", "overwrite")
        self.assert_one_error(done, 2, "two/a.dng")
        self.assertEqual(self.files(), ["one/a.dng", "two/a.dng"])


class Inputs(ProgramTest):
    def setUp(self):
        super().setUp()
        for name in ("in/b.dng", "in/ä/c.DNG", "in/ä/deep/a.dng", "in/.hidden/x.dng", "in/.y.dng"):
            self.raw(name)
        (self.folder / "in/notes.txt").write_text("no photo")
        self.out = self.folder / "in/out"  # inside: what is in it is no input of the next run

    def test_of_a_folder_are_the_photos_in_it_and_below(self):
        for _ in range(2):
            done = run("imago-cli", "render", self.folder / "in", "-o", self.out, "--recursive", "--conflict", "overwrite")
            self.assert_code(done, 0)
            self.assertEqual(self.files(self.out), ["b.jpg", "ä/c.jpg", "ä/deep/a.jpg"])

    def test_of_an_empty_folder_are_none(self):
        (self.folder / "empty").mkdir()
        done = run("imago-cli", "render", self.folder / "empty", "-o", self.out, "--recursive")
        self.assert_one_error(done, 3, "no photos")

    def test_come_from_a_list_on_standard_input(self):
        names = [str(self.folder / name) for name in ("in/b.dng", "in/ä/c.DNG")]
        for text in ("\n".join(names), "\r\n".join(names) + "\r\n", "\0".join(names) + "\0"):
            done = run("imago-cli", "render", "-", "-o", self.out, "--conflict", "overwrite", input=text)
            self.assert_code(done, 0)
            self.assertEqual(self.files(self.out), ["b.jpg", "c.jpg"])
        self.assert_one_error(run("imago-cli", "render", "-", "-o", self.out, input="\n"), 3, "no photos")


class Templates(ProgramTest):
    def test_name_the_outputs(self):
        photos = [self.raw("in/a.dng"), self.raw("in/b #2.dng")]
        for template, expected in [
            ("{name}", ["a.jpg", "b #2.jpg"]), ("{index:3}-{name}.{ext}", ["001-a.dng.jpg", "002-b #2.dng.jpg"]),
            ("{camera}/{folder} {index}", ["Analytic 24/in 1.jpg", "Analytic 24/in 2.jpg"]),
            ("{{{name}}} 100%", ["{a} 100%.jpg", "{b #2} 100%.jpg"]),
            ("写", ["写.jpg", "写_1.jpg"]),
        ]:
            with self.subTest(template):
                out = self.folder / "out"
                self.assert_code(run("imago-cli", "render", *photos, "-o", out, "--name", template), 0)
                self.assertEqual(self.files(out), expected)
                shutil.rmtree(out)

    def test_take_dates_from_the_photo(self):
        done = run("imago-cli", "render", self.raw(), "-o", self.folder / "out", "--name", "{year}/{date}_{time}_{iso}")
        self.assert_code(done, 0)
        self.assertRegex(self.files(self.folder / "out")[0], r"^(\d{4}/\d{4}-\d\d-\d\d_\d{6}|unknown/unknown_unknown)_\w+\.jpg$")


class Timeout(ProgramTest):
    def test_gives_files_up_and_ends_with_5(self):
        (self.folder / "scene.dng").write_bytes(programs.scene_bytes("--raw", "--size", "1500x1000", "--iso", "0"))
        done = run("imago-cli", "render", self.folder / "scene.dng", "-o", self.folder / "o.jpg", "--timeout", "0.02")
        self.assert_one_error(done, 5, "scene.dng", "--timeout")
        self.assertEqual(self.files(), ["scene.dng"])
        self.assert_code(run("imago-cli", "render", self.folder / "scene.dng", "-o", self.folder / "o.jpg", "--timeout",
                             "60"), 0)


class Conflict(ProgramTest):
    """A camera's JPEG lies where the raw's would go."""

    def setUp(self):
        super().setUp()
        self.photo = self.raw("a.dng")
        (self.folder / "a.jpg").write_bytes(b"the camera's")

    def render(self, *arguments):
        return run("imago-cli", "render", self.photo, *arguments)

    def test_in_a_folder_never_overwrites(self):
        self.assert_code(self.render("-o", self.folder), 0)
        self.assertEqual(self.files(), ["a.dng", "a.jpg", "a_1.jpg"])
        self.assertEqual((self.folder / "a.jpg").read_bytes(), b"the camera's")

    def test_skip_leaves_it(self):
        self.assert_code(self.render("-o", self.folder, "--conflict", "skip"), 0)
        self.assertEqual(self.files(), ["a.dng", "a.jpg"])
        self.assertEqual((self.folder / "a.jpg").read_bytes(), b"the camera's")

    def test_error_says_so(self):
        self.assert_one_error(self.render("-o", self.folder, "--conflict", "error"), 4, "a.jpg", "exists")

    def test_a_named_file_is_overwritten(self):
        self.assert_code(self.render("-o", self.folder / "a.jpg"), 0)
        self.assertTrue((self.folder / "a.jpg").read_bytes().startswith(b"\xff\xd8"))


class Names(ProgramTest):
    NAMES = ["ä.dng", "写真.dng", "two  spaces .dng", "hash#1.dng", "100%.dng", "%s%n.dng", "'quote\".dng", "a.b.c.dng",
             "new\nline.dng", "{}.dng", "-dash.dng"]

    def test_of_any_kind_go_in_and_out(self):
        photos = [self.raw(f"in ö/{name}") for name in self.NAMES]
        out = self.folder / "out 写"
        done = run("imago-cli", "render", *photos, "-o", out, "--json")
        self.assert_code(done, 0)
        self.assertEqual(self.files(out), sorted(name[:-4] + ".jpg" for name in self.NAMES))
        self.assertEqual({line["input"] for line in json_lines(done)}, set(map(str, photos)))

    def test_of_any_kind_take_edits(self):
        for name in self.NAMES:
            photo = self.raw(name)
            self.assert_code(run("imago-cli", "edit", photo, "--set", "exposure.ev=1"), 0)
            self.assertTrue((self.folder / (name + ".xmp")).is_file())
            self.assert_code(run("imago-cli", "info", photo, "--json"), 0)

    def test_with_a_leading_dash_go_after_two_dashes(self):
        self.raw("-dash.dng")
        done = run("imago-cli", "render", "--output=-out.jpg", "--", "-dash.dng", cwd=self.folder)
        self.assert_code(done, 0)
        self.assertEqual(self.files(), ["-dash.dng", "-out.jpg"])

    def test_that_are_no_utf8_are_survived(self):
        photo = os.fsencode(self.folder) + b"/latin\xe4.dng"
        with open(photo, "wb") as file:
            file.write(programs.scene_bytes("--raw", "--size", "96x64", "--iso", "0"))
        for arguments in (["-o", self.folder / "out.jpg"], ["-o", self.folder / "out.png", "--json"]):
            done = subprocess.run([BIN / "imago-cli", "render", photo, *arguments], env=environment(),
                                  capture_output=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)


class OutputsThatCannotBeWritten(ProgramTest):
    def test_in_a_missing_folder(self):
        done = run("imago-cli", "render", self.raw(), "-o", self.folder / "no/such/out.jpg")
        self.assert_one_error(done, 4, "no/such/out.jpg")

    def test_under_a_file(self):
        photo = self.raw()
        for out in (photo / "out.jpg", photo / "folder"):
            done = run("imago-cli", "render", photo, "-o", out)
            self.assert_one_error(done, 4, out.name)
        self.assertEqual(self.files(), ["scene.dng"])

    def test_with_a_name_that_is_too_long(self):
        done = run("imago-cli", "render", self.raw(), "-o", self.folder / ("x" * 300 + ".jpg"))
        self.assert_one_error(done, 4, "too long")
        self.assert_one_error(run("imago-cli", "render", self.folder / ("x" * 300), "-o", self.folder / "a.jpg"), 3)
        self.assert_one_error(run("imago-cli", "edit", self.folder / ("x" * 300), "--reset"), 3)
        self.assertEqual(self.files(), ["scene.dng"])

    def test_in_a_folder_without_permission(self):
        photo = self.raw()
        out = self.folder / "locked"
        out.mkdir()
        options = {}
        if os.geteuid() == 0:
            options = {"user": 65534, "group": 65534}
            self.folder.chmod(0o755)
            try:
                readable = run("imago-cli", "info", photo, **options).returncode == 0
            except PermissionError:
                readable = False
            if not readable:
                self.skipTest("SKIPPED: run as root, and nobody may not run the programs")
        else:
            out.chmod(0o555)
        done = run("imago-cli", "render", photo, "-o", out / "out.jpg", **options)
        self.assert_one_error(done, 4, "out.jpg", "denied")
        done = run("imago-cli", "render", photo, "-o", out, **options)
        self.assert_one_error(done, 4, "denied")
        done = run("imago-cli", "render", photo, "-o", out / "new", **options)
        self.assert_one_error(done, 4, "denied")
        self.assertEqual(self.files(out), [])
        out.chmod(0o755)

    def test_beyond_the_largest_file_allowed(self):
        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        photo = self.raw()
        (self.folder / "old.jpg").write_bytes(b"old")
        for name in ("out.jpg", "out.png", "out.tif", "out.webp", "out.avif", "out.jxl", "out.dng", "old.jpg"):
            whole = ["--lossless"] if name[-4:] in ("webp", "avif", ".jxl") else []  # else small enough
            done = run("imago-cli", "render", photo, "-o", self.folder / name, *whole, preexec_fn=small_files)
            self.assert_one_error(done, 4, name)
        self.assertEqual(self.files(), ["old.jpg", "scene.dng"])
        self.assertEqual((self.folder / "old.jpg").read_bytes(), b"old")

    def test_on_a_full_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mount = shutil.which("mount")
        if os.geteuid() != 0 or not mount or subprocess.run(
                [mount, "-t", "tmpfs", "-o", "size=4k", "tmpfs", disk], capture_output=True).returncode != 0:
            self.skipTest("SKIPPED: no small disk can be mounted here")
        try:
            photo = self.raw()
            for name in ("out.jpg", "out.png", "out.tif", "out.dng", "out.webp --lossless", "out.jxl --lossless"):
                name, *more = name.split()
                done = run("imago-cli", "render", photo, "-o", disk / name, *more)
                self.assert_one_error(done, 4, name, "No space left")
            self.assertEqual(self.files(disk), [])
            done = run("imago-cli", "render", photo, "-o", disk)
            self.assert_one_error(done, 4, "scene.jpg", "No space left")
        finally:
            subprocess.run(["umount", disk], check=True)


class Interrupted(ProgramTest):
    def test_a_batch_ends_with_130_and_leaves_whole_files_only(self):
        photo = self.folder / "in/0.dng"
        photo.parent.mkdir()
        photo.write_bytes(programs.scene_bytes("--raw", "--size", "1500x1000", "--iso", "0"))
        photos = [photo]
        for i in range(1, 60):
            photos.append(photo.with_name(f"{i}.dng"))
            photos[-1].symlink_to(photo)
        out = self.folder / "out"
        for sent in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([BIN / "imago-cli", "render", *photos, "-o", out, "--log-level", "warn"],
                                       env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            end = time.monotonic() + 60
            while not list(out.glob("*.jpg")) and time.monotonic() < end:
                time.sleep(0.02)
            process.send_signal(sent)
            start = time.monotonic()
            _, error = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130, error)
            self.assertRegex(error, r"^interrupted: \d+ of 60 pictures written\n$")
            self.assertLess(time.monotonic() - start, 20)
            names = self.files(out)
            self.assertLess(len(names), 60)
            for name in names:
                self.assertEqual(image_size(out / name), (1500, 1000))
            shutil.rmtree(out)


class Info(ProgramTest):
    def test_says_what_files_are(self):
        done = run("imago-cli", "info", self.raw(), self.panorama("pano.png"), "--json")
        self.assert_code(done, 0)
        raw, picture = json_lines(done)
        self.assertEqual((raw["kind"], raw["width"], raw["height"], raw["layout"]), ("raw", 96, 64, "bayer"))
        self.assertEqual((picture["kind"], picture["width"], picture["height"]), ("png", 128, 64))
        text = run("imago-cli", "info", self.folder / "scene.dng").stdout
        self.assertIn("Analytic 24", text)

    def test_ends_with_1_or_3_for_what_is_unreadable(self):
        broken = self.folder / "broken.dng"
        broken.write_bytes(BROKEN)
        self.assert_one_error(run("imago-cli", "info", broken), 3, "broken.dng")
        self.assert_code(run("imago-cli", "info", broken, self.raw()), 1)


if __name__ == "__main__":
    unittest.main()
