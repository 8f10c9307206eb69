"""pipeline_360 cubemap: frames, faces, options, frames that cannot be read, both backends."""
import json
import resource
import shutil
import signal
import subprocess
import time
import unittest

import programs
from programs import BIN, ProgramTest, SOFTWARE_GPU, environment, image_size, json_lines, png_rows, run

def item_lines(done):
    return [line for line in json_lines(done) if line["event"] == "item"]


FACES = ["back", "down", "front", "left", "right", "up"]


class Cubemap(ProgramTest):
    def setUp(self):
        super().setUp()
        self.input, self.output = self.folder / "in", self.folder / "03_cubemap/images"

    def cut(self, *arguments, **options):
        return run("pipeline_360", "cubemap", "--input-dir", self.input, "--output-dir", self.output, *arguments,
                   **options)

    def assert_faces(self, frames, extension="jpg", size=None):
        self.assertEqual(self.files(self.output), sorted(f"{face}/{frame}.{extension}" for face in FACES
                                                         for frame in frames))
        for path in self.output.rglob("*.*"):
            self.assertEqual(image_size(path), (size, size) if size else image_size(path))

    def test_every_frame_gives_every_face(self):
        for name in ("0001.png", "0002.png", "ä 写 #%.png"):
            self.panorama(f"in/{name}")
        done = self.cut("--json")
        self.assert_code(done, 0)
        self.assert_faces(["0001", "0002", "ä 写 #%"])
        events = json_lines(done)
        self.assertEqual([line["event"] for line in events], ["start", "item", "item", "item", "end"])
        for line in item_lines(done):
            self.assertEqual(set(line), {"event", "stage", "total", "pending", "done", "failed", "item", "perSecond",
                                         "secondsLeft", "backend", "ms", "outputs"})
            self.assertEqual(len(line["outputs"]), 6)
        rig = json.loads((self.folder / "03_cubemap/rig_config.json").read_text())
        self.assertEqual([camera["image_prefix"] for camera in rig[0]["cameras"]],
                         ["front/", "right/", "back/", "left/", "up/", "down/"])
        manifest = json.loads((self.folder / "03_cubemap/stage.json").read_text())
        self.assertEqual((sorted(manifest["items"]), manifest["complete"]), (["0001", "0002", "ä 写 #%"], True))

    def test_faces_have_the_size_and_format_that_were_asked_for(self):
        self.panorama("in/a.png")
        for arguments, extension, size in [
            (["--face-size", "40"], "jpg", 40), (["--face-size", "33", "--format", "png"], "png", 33),
            (["--fov", "90"], "jpg", 32),  # auto: a quarter of 128 at 90 degrees
            (["--fov", "90", "--face-size", "native"], "jpg", 48),  # 128 / pi, to the next 16
        ]:
            with self.subTest(" ".join(arguments)):
                done = self.cut(*arguments, "--json")
                self.assert_code(done, 0)
                self.assert_faces(["a"], extension, size)
                shutil.rmtree(self.folder / "03_cubemap")

    def test_quality_and_filter_change_the_file(self):
        self.panorama("in/a.png")
        sizes, contents = [], set()
        for quality in ("30", "95"):
            self.assert_code(self.cut("--quality", quality, "--update"), 0)
            sizes.append((self.output / "front/a.jpg").stat().st_size)
        self.assertLess(sizes[0] * 1.5, sizes[1])
        for name in ("aniso", "bilinear", "cubic", "lanczos"):
            self.assert_code(self.cut("--filter", name, "--format", "png", "--force"), 0)
            contents.add((self.output / "front/a.png").read_bytes())
        self.assertEqual(len(contents), 4)

    def test_a_frame_that_cannot_be_read_is_named_and_the_others_go_on(self):
        self.panorama("in/a.png")
        self.panorama("in/c.png")
        content = programs.scene_bytes("--pano", "--pano-size", "128x64")
        (self.input / "b.png").write_bytes(content[:len(content) // 2])
        (self.input / "notes.txt").write_text("no panorama")
        done = self.cut("--log-level", "error")
        self.assert_one_error(done, 1, "b.png")
        self.assert_faces(["a", "c"])
        again = item_lines(self.cut("--json"))  # the others are there
        self.assertEqual([line["item"] for line in again], ["b"])
        self.assertIn("b.png", again[0]["error"])
        (self.input / "b.png").write_bytes(content)
        self.assert_code(self.cut(), 0)
        self.assert_faces(["a", "b", "c"])

    def test_stereo_and_other_shapes_are_refused(self):
        for size, word in [("128x128", "stereo"), ("128x96", "2:1")]:
            (self.input).mkdir(exist_ok=True)
            (self.input / "a.png").write_bytes(programs.scene_bytes("--pano", "--pano-size", size))
            self.assert_one_error(self.cut("--log-level", "error"), 3, "a.png", word)
        self.assertEqual(self.files(self.output), [])

    def test_sixteen_bits_and_linear_light(self):
        self.panorama("in/a.png")
        contents = set()
        for arguments in (["--format", "png16"], ["--format", "png16", "--linear-light"], ["--format", "png"],
                          ["--format", "png", "--linear-light"]):
            self.assert_code(self.cut("--face-size", "32", "--force", *arguments), 0)
            data = (self.output / "front/a.png").read_bytes()
            self.assertEqual(data[24], 16 if "png16" in arguments else 8)
            contents.add(data)
        self.assertEqual(len(contents), 4)
        self.assert_one_error(self.cut("--linear-light", "--force", "--backend", "gpu"), 6, "GPU")

    def test_two_frames_of_one_name_keep_their_extensions(self):
        self.panorama("in/a.png")
        (self.input / "a.jpg").write_bytes(programs.scene_bytes("--pano", "--pano-size", "128x64"))
        self.assert_code(self.cut("--format", "png", "--face-size", "16"), 0)
        self.assert_faces(["a.png", "a.jpg"], "png", 16)

    def test_no_input_ends_with_3(self):
        self.assert_one_error(self.cut(), 3, str(self.input))
        self.input.mkdir()
        self.assert_one_error(self.cut(), 3, "no .jpg")
        self.assertFalse(self.output.exists())
        self.assert_one_error(run("pipeline_360", "cubemap", "--input-dir", self.input), 2, "--output-dir")

    def test_layouts_faces_and_yaw(self):
        self.panorama("in/a.png")
        own = self.folder / "own.json"
        own.write_text('{"cameras": [{"name": "x", "yaw": 30}, {"name": "y", "pitch": -20}]}')
        for arguments, folders in [
            (["--layout", "colmap12"], [f"pano_camera{i}" for i in range(12)]), (["--layout", own], ["x", "y"]),
            (["--layout", "ring:3", "--yaw", "10"], ["ring000", "ring120", "ring240"]),
            (["--faces", "down,front"], ["down", "front"]),
        ]:
            with self.subTest(" ".join(map(str, arguments))):
                self.assert_code(self.cut(*arguments, "--face-size", "16"), 0)
                self.assertEqual(self.files(self.output), sorted(f"{folder}/a.jpg" for folder in folders))
                shutil.rmtree(self.folder / "03_cubemap")
        self.assert_one_error(self.cut("--layout", "cube7"), 2, "cube7")
        self.assert_one_error(self.cut("--faces", "front,top"), 2, "top")

    def test_other_options_than_before_are_refused_until_update_says_so(self):
        self.panorama("in/a.png")
        self.assert_code(self.cut("--face-size", "16"), 0)
        self.assert_one_error(self.cut("--face-size", "24"), 2, "faceSize 16 -> 24", "--update")
        self.assert_code(self.cut("--face-size", "24", "--update"), 0)
        self.assert_faces(["a"], size=24)

    def test_shards_share_the_frames_and_a_frame_that_is_gone_takes_its_faces_along(self):
        for name in "abcde":
            self.panorama(f"in/{name}.png")
        self.assert_code(self.cut("--shard", "1/2"), 0)
        self.assert_faces(["a", "c", "e"])
        self.assert_code(self.cut("--shard", "2/2"), 0)
        self.assert_faces(["a", "b", "c", "d", "e"])
        (self.input / "d.png").unlink()
        self.assertEqual(item_lines(self.cut("--json")), [])
        self.assert_faces(["a", "b", "c", "e"])
        self.assert_one_error(self.cut("--shard", "3/2"), 2, "3/2")

    def test_frames_of_several_sizes_give_faces_of_one(self):
        self.panorama("in/a.png")
        (self.input / "b.png").write_bytes(programs.scene_bytes("--pano", "--pano-size", "256x128"))
        self.assert_code(self.cut("--fov", "90"), 0)
        self.assert_faces(["a", "b"], size=64)

    def test_outputs_that_cannot_be_written_end_with_4(self):
        self.panorama("in/a.png")
        (self.folder / "03_cubemap").write_text("a file")
        self.assert_one_error(self.cut(), 4, "03_cubemap")
        (self.folder / "03_cubemap").unlink()

        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))

        self.assert_one_error(self.cut("--log-level", "error", preexec_fn=small_files), 4, "cannot write")
        self.assertEqual(self.files(self.output), [])

    def test_gpu_switched_off_but_required_ends_with_6(self):
        self.panorama("in/a.png")
        self.assert_one_error(self.cut("--backend", "gpu"), 6, "disabled by IMAGO_GPU=0")
        self.assertFalse(self.output.exists())

    def test_both_backends_cut_the_same_faces(self):
        programs.software_gpu()
        self.panorama("in/a.png", "--exposure", "0.7")
        rows = {}
        for backend in ("cpu", "gpu"):
            done = self.cut("--backend", backend, "--format", "png", "--face-size", "48", "--json", "--force", env=SOFTWARE_GPU)
            self.assert_code(done, 0)
            self.assertEqual(item_lines(done)[0]["backend"], backend)
            rows[backend] = [png_rows(self.output / face / "a.png") for face in FACES]
        worst = 0
        for one, two in zip(*rows.values()):
            self.assertGreater(len(set(one)), 5, "a face shows nothing")
            worst = max(worst, max(abs(a - b) for x, y in zip(one, two) for a, b in zip(x, y)))
        self.assertLessEqual(worst, 1)


    def test_an_interruption_ends_with_130_and_leaves_whole_faces_only(self):
        self.input.mkdir()
        first = self.input / "0.png"
        first.write_bytes(programs.scene_bytes("--pano", "--pano-size", "1024x512"))
        for i in range(1, 200):
            (self.input / f"{i}.png").symlink_to(first)
        process = subprocess.Popen([BIN / "pipeline_360", "cubemap", "--input-dir", self.input, "--output-dir",
                                    self.output, "--log-level", "warn"], env=environment(), stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 60
        while not list(self.output.glob("up/*.jpg")) and time.monotonic() < end:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, error)
        self.assertIn("interrupted", error)
        names = self.files(self.output)
        self.assertLess(len(names), 6 * 200)
        self.assertEqual(len(names) % 6, 0)
        for name in names:
            image_size(self.output / name)


class RealPanoramas(ProgramTest):
    def test_each_is_cut_and_the_stereo_one_refused(self):
        folder = programs.samples("pano")
        inputs = self.folder / "in"
        inputs.mkdir()
        for path in folder.glob("*.jpg"):
            (inputs / path.name).symlink_to(path.resolve())
        done = run("pipeline_360", "cubemap", "--input-dir", inputs, "--output-dir", self.folder / "out",
                   "--face-size", "64", "--json")
        self.assert_code(done, 1)
        lines = {line["item"]: line for line in item_lines(done)}
        self.assertEqual(set(lines), {path.stem for path in folder.glob("*.jpg")})
        self.assertIn("stereo", lines["vrview_whale-left"]["error"])
        for name, line in lines.items():
            width, height = image_size(folder / (name + ".jpg"))
            self.assertEqual("error" in line, width != 2 * height, name)
        good = sum("error" not in line for line in lines.values())
        self.assertGreater(good, 1)
        self.assertEqual(len(list((self.folder / "out").glob("*/*.jpg"))), 6 * good)


if __name__ == "__main__":
    unittest.main()
