"""pipeline_360 sfm, dataset, run, status, verify. COLMAP is pycolmap: IMAGO_PYCOLMAP names a Python that has it (else
python3 is tried); without one, what needs it is skipped."""
import json
import math
import os
import pathlib
import shutil
import subprocess
import unittest

import programs
from frames_test import ffmpeg, needs_ffmpeg
from programs import ProgramTest, json_lines, run


def pycolmap_python():
    for python in (os.environ.get("IMAGO_PYCOLMAP"), "python3"):
        if not python or not shutil.which(python):
            continue
        done = subprocess.run([python, "-c", "import pycolmap; print(pycolmap.__version__)"], capture_output=True,
                              text=True)
        if done.returncode == 0 and int(done.stdout.split(".")[0]) >= 4:
            return python
    raise unittest.SkipTest("SKIPPED: no Python with pycolmap 4 (pip install pycolmap, IMAGO_PYCOLMAP=python)")


def in_pycolmap(python, code, *arguments):
    """What a piece of Python that has pycolmap prints, as JSON."""
    code = f"import json, sys, numpy, pycolmap\n{code}\nprint(json.dumps(result))"
    done = subprocess.run([python, "-c", code, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


class SfmTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.project = self.folder / "p"

    def cut(self, names="abc", *arguments):
        for name in names:
            self.panorama(f"in/{name}.png")
        self.assert_code(run("pipeline_360", "cubemap", "--input-dir", self.folder / "in", "--output-dir",
                             self.project / "03_cubemap/images", "--face-size", "64", *arguments), 0)


class WithoutColmap(SfmTest):
    def test_masks_and_scripts_are_written(self):
        self.cut()
        done = run("pipeline_360", "sfm", "--project", self.project, "--script-only", "--json")
        self.assert_code(done, 0)
        self.assertEqual(len(list((self.project / "03_cubemap/sfm_masks").glob("*/*.jpg.png"))), 18)
        script = self.project / "03_cubemap/run_colmap.sh"
        subprocess.run(["sh", "-n", script], check=True)
        compile((self.project / "03_cubemap/run_sfm.py").read_text(), "run_sfm.py", "exec")
        self.assertIn("--ImageReader.camera_params 28.8", script.read_text())

    def test_no_colmap_ends_with_3_and_what_to_do(self):
        self.cut()
        tools = self.folder / "bin"
        tools.mkdir()
        done = run("pipeline_360", "sfm", "--project", self.project, "--log-level", "error", env={"PATH": str(tools)})
        self.assert_one_error(done, 3, "no COLMAP found", "run_colmap.sh")
        self.assert_one_error(run("pipeline_360", "sfm", "--project", self.project, "--colmap", "/bin/true"), 2, "/bin/true")
        old = tools / "colmap"
        old.write_text("#!/bin/sh\necho 'COLMAP 3.8 -- Structure-from-Motion'\n")
        old.chmod(0o755)
        self.assert_one_error(run("pipeline_360", "sfm", "--project", self.project, "--colmap", old), 2, "3.8", "3.12")

    def test_a_colmap_that_fails_is_quoted(self):
        self.cut()
        fake = self.folder / "colmap"
        fake.write_text("#!/bin/sh\n[ \"$1\" = help ] && echo 'COLMAP 3.13.0' && exit 0\n"
                        "[ \"$1\" = sequential_matcher ] && exit 0\necho 'no space for features' >&2\nexit 9\n")
        fake.chmod(0o755)
        done = run("pipeline_360", "sfm", "--project", self.project, "--colmap", fake, "--log-level", "off")
        self.assert_code(done, 3)
        self.assertIn("ended with 9: no space for features", done.stderr)

    def test_one_frame_or_none_is_named(self):
        self.assert_one_error(run("pipeline_360", "sfm", "--project", self.project), 3, "run pipeline_360 cubemap first")
        self.cut("a")
        self.assert_one_error(run("pipeline_360", "sfm", "--project", self.project), 3, "1 frames")

    def test_dataset_without_a_reconstruction_is_named(self):
        self.cut()
        self.assert_one_error(run("pipeline_360", "dataset", "--project", self.project), 3, "no reconstruction")

    def test_status_and_verify(self):
        self.cut()
        states = {line["stage"]: line["state"] for line in json_lines(run("pipeline_360", "status", self.project, "--json"))}
        self.assertEqual((states["cubemap"], states["frames"]), ("complete", "not started"))
        self.assert_code(run("pipeline_360", "verify", self.project), 0)
        face = self.project / "03_cubemap/images/up/b.jpg"
        content = bytearray(face.read_bytes())
        content[len(content) // 2] ^= 1
        face.write_bytes(content)
        (self.project / "03_cubemap/images/up/c.jpg").unlink()
        done = run("pipeline_360", "verify", self.project, "--json")
        self.assert_code(done, 1)
        problems = [line["problem"] for line in json_lines(done)]
        self.assertTrue(any("up/b.jpg: changed" in problem for problem in problems), problems)
        self.assertTrue(any("up/c.jpg: missing" in problem for problem in problems), problems)
        self.assert_one_error(run("pipeline_360", "status", self.folder / "none"), 3, "none")

    def test_doctor_names_what_is_there(self):
        found = {line["what"]: line for line in json_lines(run("pipeline_360", "doctor", "--json"))}
        self.assertLessEqual({"CPU", "memory", "GPU", "FFmpeg", "COLMAP"}, set(found))


class AgainstPycolmap(SfmTest):
    def test_rigs_are_those_of_panorama_sfm(self):
        python = pycolmap_python()
        for layout in ("colmap12", "cube6"):
            self.cut("a", "--layout", layout, "--force")
            ours = in_pycolmap(python, """
config = pycolmap.read_rig_config(sys.argv[1])[0]
result = [None if c.cam_from_rig is None else c.cam_from_rig.rotation.matrix().tolist() for c in config.cameras]
""", self.project / "03_cubemap/rig_config.json")
            self.assertIsNone(ours[0])
            if layout == "cube6":
                self.assertEqual(len(ours), 6)
                continue
            theirs = in_pycolmap(python, """
from pycolmap import panorama
options = panorama.PANO_RENDER_OPTIONS[panorama.PanoRenderType.PERSPECTIVE_OVERLAPPING]
rotations = panorama.get_virtual_rotations(options.num_steps_yaw, options.pitches_deg)
config = panorama.create_pano_rig_config(rotations)
result = [None if c.cam_from_rig is None else c.cam_from_rig.rotation.matrix().tolist() for c in config.cameras]
""")
            self.assertEqual(len(ours), len(theirs))
            for a, b in zip(ours[1:], theirs[1:]):
                for row, other in zip(a, b):
                    for x, y in zip(row, other):
                        self.assertAlmostEqual(x, y, places=14)

    def test_colmap12_is_panorama_sfms_pictures_to_within_a_step(self):
        python = pycolmap_python()
        self.panorama("in/a.png")
        self.assert_code(run("pipeline_360", "cubemap", "--input-dir", self.folder / "in", "--output-dir",
                             self.project / "images", "--layout", "colmap12", "--filter", "bilinear", "--format", "png",
                             "--face-size", "32"), 0)
        (self.folder / "pano.raw").write_bytes(b"".join(programs.png_rows(self.folder / "in/a.png")))
        faces = (programs.png_rows(self.project / f"images/pano_camera{i}/a.png") for i in range(12))
        (self.folder / "faces.raw").write_bytes(b"".join(b"".join(rows) for rows in faces))
        worst = in_pycolmap(python, """
from pycolmap import panorama
pano = numpy.fromfile(sys.argv[1], numpy.uint8).reshape(64, 128, 3).astype(float)
faces = numpy.fromfile(sys.argv[2], numpy.uint8).reshape(12, 32, 32, 3).astype(float)
camera = panorama.create_virtual_camera(pano_width=128, pano_height=64, hfov_deg=90, vfov_deg=90)
rays, result = panorama.get_virtual_camera_rays(camera), 0
for face, rotation in zip(faces, panorama.get_virtual_rotations(4, (-35, 0, 35))):
    at = panorama.spherical_img_from_cam((128, 64), rays @ rotation).reshape(32, 32, 2).transpose(1, 0, 2) - 0.5
    x, y = numpy.floor(at[..., 0]).astype(int), numpy.floor(at[..., 1]).astype(int)
    fx, fy = (at[..., 0] - x)[..., None], (at[..., 1] - y)[..., None]
    get = lambda x, y: pano[numpy.clip(y, 0, 63), x % 128]
    wanted = ((get(x, y) * (1 - fx) + get(x + 1, y) * fx) * (1 - fy)
              + (get(x, y + 1) * (1 - fx) + get(x + 1, y + 1) * fx) * fy)
    result = max(result, float(abs(wanted - face).max()))
""", self.folder / "pano.raw", self.folder / "faces.raw")
        self.assertLess(worst, 1.3)  # one step, and 1/256 pixel phases on the hard edges of so small a picture

    def test_a_moving_camera_of_the_scene_is_found_again(self):
        needs_ffmpeg("libx264")
        python = pycolmap_python()
        places = []
        for i in range(14):
            t = i / 13
            places.append((-0.9 + 1.8 * t, 0.15 * math.sin(3 * t), 0.6 * math.sin(2 * math.pi * t)))
            done = run("imago-demo-scene", "--pano", self.folder / f"f{i:03}.png", "--pano-size", "1536x768", "--at",
                       ",".join(map(str, places[-1])), "--turn", str(25 * t))
            self.assert_code(done, 0)
        clip = self.folder / "film.mp4"
        ffmpeg("-framerate", "5", "-i", self.folder / "f%03d.png", "-c:v", "libx264", "-crf", "8", "-pix_fmt", "yuv420p",
               clip)
        done = run("pipeline_360", "run", self.project, clip, "--fps", "5", "--min-motion", "0", "--min-sharpness", "0",
                   "--colmap", python, "--dataset", "colmap,nerfstudio,realityscan", "--json", timeout=900)
        self.assert_code(done, 0)
        events = json_lines(done)
        sfm = next(event for event in events if event["event"] == "sfm")
        self.assertEqual((sfm["registeredFrames"], sfm["registeredImages"], sfm["models"]), (14, 84, 1))
        for check in (event for event in events if event["event"] == "dataset"):
            self.assertEqual((check["images"], check["outside"]), (84, 0))
        # A similarity from the reconstruction to the truth (Umeyama 1991) leaves the camera positions.
        worst = in_pycolmap(python, """
model = pycolmap.Reconstruction(sys.argv[1])
model.check() if hasattr(model, 'check') else None
truth = numpy.array(json.loads(sys.argv[2]))
found = {int(i.name.split('_')[-1].split('.')[0]): i.projection_center() for i in model.images.values()
         if i.name.startswith('front/')}
got = numpy.array([found[k] for k in sorted(found)])
a, b = got - got.mean(0), truth - truth.mean(0)
u, s, vt = numpy.linalg.svd(b.T @ a)
d = numpy.diag([1, 1, numpy.sign(numpy.linalg.det(u @ vt))])
scale = numpy.trace(numpy.diag(s) @ d) / (a ** 2).sum()
result = float(numpy.linalg.norm(scale * a @ (u @ d @ vt).T - b, axis=1).max())
""", self.project / "05_dataset/colmap/sparse/0", json.dumps(places))
        length = sum(math.dist(a, b) for a, b in zip(places, places[1:]))
        self.assertLess(worst, 0.01 * length)
        again = run("pipeline_360", "run", self.project, "--json", timeout=900)
        self.assert_code(again, 0)
        self.assertEqual([event for event in json_lines(again) if event["event"] == "item"], [])
        self.assert_code(run("pipeline_360", "verify", self.project), 0)

    def test_a_real_video_of_a_squeezed_sphere_gives_one_model(self):
        python = pycolmap_python()
        clip = programs.samples("video") / "three_pano.mp4"
        done = run("pipeline_360", "run", self.project, clip, "--fps", "2.5", "--face-size", "640", "--colmap", python,
                   "--json", timeout=900)
        self.assert_code(done, 0)
        sfm = next(event for event in json_lines(done) if event["event"] == "sfm")
        self.assertEqual((sfm["registeredFrames"], sfm["registeredImages"], sfm["models"]), (19, 114, 1), sfm)
        self.assertGreater(sfm["points"], 2500)
        self.assertLess(sfm["reprojectionErrorPx"], 1)


if __name__ == "__main__":
    unittest.main()
