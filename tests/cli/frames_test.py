"""pipeline_360 frames and equirect: what comes out of videos and photos, what is converted and what refused."""
import csv
import json
import shutil
import subprocess
import unittest

import programs
from programs import ProgramTest, image_size, json_lines, png_rows, run

COLOR = (0x40, 0x60, 0xA0)


def needs_ffmpeg(*encoders):
    if not shutil.which("ffmpeg"):
        raise unittest.SkipTest("SKIPPED: no ffmpeg program to make test videos with")
    listed = subprocess.run(["ffmpeg", "-v", "error", "-encoders"], capture_output=True, text=True).stdout
    for encoder in encoders:
        if f" {encoder} " not in listed:
            raise unittest.SkipTest(f"SKIPPED: this ffmpeg has no {encoder}")


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-y", "-v", "error", *map(str, arguments)], check=True, capture_output=True)


def items(done):
    return {line["item"]: line for line in json_lines(done) if line["event"] == "item"}


class FramesTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.project = self.folder / "p"
        self.images = self.project / "01_frames/images"

    def take(self, *arguments, **options):
        return run("pipeline_360", "frames", *arguments, "--project", self.project, "--log-level", "error", **options)

    def noise(self, name, size="128x64", seconds=2, rate=10, filters="", *arguments):
        """A video whose frames all differ."""
        path = self.folder / name
        source = f"nullsrc=s={size}:r={rate}:d={seconds},geq=lum='128+90*sin(X/7+N)*cos(Y/5)':cb=110:cr=140{filters}"
        ffmpeg("-f", "lavfi", "-i", source, "-pix_fmt", "yuv420p", *arguments, path)
        return path

    def rows(self):
        with open(self.project / "01_frames/frames.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def middle(self):
        rows = png_rows(next(self.images.glob("*.png")))
        row = rows[len(rows) // 2]
        at = len(row) // 6 * 3
        return tuple(row[at:at + 3])


class Video(FramesTest):
    def setUp(self):
        super().setUp()
        needs_ffmpeg("libx264")

    def test_one_frame_of_each_window_is_taken_and_listed(self):
        clip = self.noise("clip ä.mp4", seconds=3)
        self.assert_code(self.take(clip, "--fps", "2"), 0)
        self.assertEqual(len(self.files(self.images)), 6)
        rows = self.rows()
        self.assertEqual([row["kept"] for row in rows], ["1"] * 6)
        times = [float(row["time_s"]) for row in rows]
        for i, time in enumerate(times):
            self.assertTrue(i * 0.5 <= time < (i + 1) * 0.5, times)
        self.assertEqual([row["frame"] for row in rows], [f"clip ä_{round(time * 10):06}" for time in times])
        for path in self.images.iterdir():
            self.assertEqual(image_size(path), (128, 64))

    def test_start_end_count_and_every(self):
        clip = self.noise("a.mp4", seconds=4)
        for arguments, count, first, last in [
            (["--start", "1", "--end", "0:03"], 4, 1, 3), (["--count", "5"], 5, 0, 4),
            (["--every", "2"], 2, 0, 4), (["--fps", "1", "--select", "first"], 4, 0, 4),
        ]:
            with self.subTest(" ".join(arguments)):
                self.assert_code(self.take(clip, *arguments, "--force"), 0)
                times = [float(row["time_s"]) for row in self.rows()]
                self.assertEqual(len(times), count)
                self.assertTrue(first <= times[0] and times[-1] < last, times)
                self.assertEqual(len(self.files(self.images)), count)
        self.assert_one_error(self.take(clip, "--start", "9", "--force"), 3, "behind its end")
        self.assert_one_error(self.take(clip, "--start", "3", "--end", "2"), 2, "--end")

    def test_a_frozen_picture_gives_one_frame_and_a_blurred_one_is_dropped(self):
        still = self.folder / "still.mp4"
        ffmpeg("-f", "lavfi", "-i", "testsrc2=s=128x64:r=10:d=0.1", "-vf", "loop=30:1", "-pix_fmt", "yuv420p", still)
        self.assert_code(self.take(still), 0)
        self.assertEqual(len(self.files(self.images)), 1)
        self.assertEqual({row["why"] for row in self.rows()}, {"sharpest of its window", "like the frame before"})
        shutil.rmtree(self.project)
        clip = self.noise("b.mp4", "128x64", 5, 10, ",boxblur=12:enable='between(t,2,2.99)'")
        self.assert_code(self.take(clip, "--fps", "1"), 0)
        self.assertEqual([row["why"] for row in self.rows()],
                         ["sharpest of its window"] * 2 + ["blurred"] + ["sharpest of its window"] * 2)
        self.assertEqual(len(self.files(self.images)), 4)

    def test_colours_come_out_for_every_codec_depth_matrix_and_range(self):
        red, green, blue = COLOR
        for encoder, pixels, matrix, full in [
            ("libx264", "yuv420p", "bt709", False), ("libx264", "yuv420p", "smpte170m", False),
            ("libx264", "yuv444p", "bt709", True), ("libx265", "yuv420p10le", "bt2020nc", False),
            ("libvpx-vp9", "yuv420p10le", "bt709", False), ("libaom-av1", "yuv420p", "bt709", False),
            ("libx264", "yuv422p10le", "bt709", True), ("libx264rgb", "rgb24", "", False),
        ]:
            with self.subTest(f"{encoder} {pixels} {matrix} {full}"):
                needs_ffmpeg(encoder)
                clip = self.folder / "c.mkv"
                tags = ["-colorspace", matrix, "-color_range", "pc" if full else "tv"] if matrix else []
                scale = matrix.replace("nc", "").replace("smpte170m", "bt601")
                convert = (f"scale=out_color_matrix={scale}:out_range={'pc' if full else 'tv'}:flags=accurate_rnd,"
                           if matrix else "")
                ffmpeg("-f", "lavfi", "-i", f"color=c=0x{red:02x}{green:02x}{blue:02x}:s=128x64:r=5:d=1,format=rgb24",
                       "-vf", f"{convert}format={pixels}", "-c:v", encoder, *tags, clip)
                self.assert_code(self.take(clip, "--force", "--frame-format", "png"), 0)
                for got, wanted in zip(self.middle(), COLOR):
                    self.assertLessEqual(abs(got - wanted), 2, f"{self.middle()} for {COLOR}")

    def test_hdr_is_tone_mapped_with_a_line_or_refused(self):
        needs_ffmpeg("libx265")
        # 58 % PQ and 75 % HLG are the reference white of 203 cd/m2 (BT.2408): just below the SDR white.
        for transfer, code in [("smpte2084", 0.58), ("arib-std-b67", 0.75)]:
            clip = self.folder / "hdr.mp4"
            luma = round(64 + 876 * code)
            ffmpeg("-f", "lavfi", "-i", f"nullsrc=s=128x64:r=5:d=1,format=yuv420p10le,geq=lum={luma}:cb=512:cr=512",
                   "-c:v", "libx265", "-x265-params", f"log-level=none:lossless=1:colorprim=bt2020:transfer={transfer}:"
                   "colormatrix=bt2020nc", clip)
            done = run("pipeline_360", "frames", clip, "--project", self.project, "--force", "--frame-format", "png",
                       "--log-level", "warn")
            self.assert_code(done, 0)
            self.assertIn("tone-mapped", done.stderr)
            grey = self.middle()
            self.assertEqual(len(set(grey)), 1, grey)
            self.assertTrue(225 <= grey[0] <= 245, (transfer, grey))
            self.assert_one_error(self.take(clip, "--hdr", "refuse", "--force"), 3, "HDR")

    def test_rotation_is_applied(self):
        clip = self.noise("r.mp4")
        turned = self.folder / "t.mp4"
        ffmpeg("-display_rotation", "180", "-i", clip, "-c", "copy", turned) if self.has_display_rotation() else ffmpeg(
            "-i", clip, "-c", "copy", "-metadata:s:v:0", "rotate=180", turned)
        self.assert_code(self.take(clip, "--frame-format", "png", "--count", "1", "--select", "first"), 0)
        upright = png_rows(next(self.images.glob("r_*.png")))
        self.assert_code(self.take(turned, "--frame-format", "png", "--count", "1", "--select", "first", "--force"), 0)
        other = png_rows(next(self.images.glob("t_*.png")))
        flipped = [bytes(b for i in range(len(row) - 3, -1, -3) for b in row[i:i + 3]) for row in reversed(other)]
        worst = max(abs(a - b) for x, y in zip(upright, flipped) for a, b in zip(x, y))
        self.assertLessEqual(worst, 8)  # chroma of a turned picture is sited on the other side

    @staticmethod
    def has_display_rotation():
        text = subprocess.run(["ffmpeg", "-v", "error", "-h", "full"], capture_output=True, text=True).stdout
        return "display_rotation" in text

    def test_a_squeezed_sphere_becomes_two_to_one_and_a_flat_video_is_refused(self):
        clip = self.folder / "sar.mp4"
        self.noise("x.mp4")
        ffmpeg("-i", self.folder / "x.mp4", "-vf", "scale=128:72,setsar=9/8", clip)
        self.assert_code(self.take(clip), 0)
        self.assertEqual({image_size(path) for path in self.images.iterdir()}, {(128, 64)})
        flat = self.folder / "flat.mp4"
        ffmpeg("-f", "lavfi", "-i", "testsrc2=s=256x144:r=10:d=1", "-pix_fmt", "yuv420p", flat)
        self.assert_one_error(self.take(flat, "--force"), 3, "256x144 is no full panorama", "--projection")
        self.assert_code(self.take(flat, "--projection", "squeezed", "--force"), 0)

    def test_stereo_gives_the_eye_that_was_asked_for(self):
        clip = self.folder / "tb.mp4"
        ffmpeg("-f", "lavfi", "-i", "mandelbrot=s=128x64:r=10", "-t", "1", "-filter_complex",
               "[0]split[a][b];[b]eq=brightness=-0.2[c];[a][c]vstack", "-pix_fmt", "yuv420p", clip)
        light = {}
        for eye in ("left", "right"):
            self.assert_code(self.take(clip, "--eye", eye, "--force", "--frame-format", "png", "--count", "1"), 0)
            rows = png_rows(next(self.images.glob("*.png")))
            self.assertEqual((len(rows), len(rows[0])), (64, 384))
            light[eye] = sum(map(sum, rows))
        self.assertGreater(light["left"], light["right"])

    def test_a_dual_fisheye_is_stitched_with_its_lenses_estimated(self):
        pano = self.folder / "pano.png"
        pano.write_bytes(programs.scene_bytes("--pano", "--pano-size", "512x256"))
        clip = self.folder / "fish.mkv"
        ffmpeg("-loop", "1", "-i", pano, "-t", "1", "-r", "5", "-vf",
               "v360=e:dfisheye:h_fov=200:v_fov=200:w=512:h=256:interp=cubic,"
               "format=gbrp,geq=r='r(X,Y)*lte(hypot(mod(X,256)-127.5,Y-127.5),127.5)':"
               "g='g(X,Y)*lte(hypot(mod(X,256)-127.5,Y-127.5),127.5)':b='b(X,Y)*lte(hypot(mod(X,256)-127.5,Y-127.5),127.5)'",
               "-c:v", "ffv1", clip)
        done = run("pipeline_360", "frames", clip, "--project", self.project, "--count", "1", "--frame-format", "png")
        self.assert_code(done, 0)
        self.assertIn("dual fisheye", done.stderr)
        plan = json.loads((self.project / "01_frames/plan/fish.json").read_text())
        self.assertAlmostEqual(plan["fisheye"][0], 200, delta=4)
        self.assertAlmostEqual(plan["fisheye"][3], 128, delta=2)
        wanted, got = png_rows(pano), png_rows(next(self.images.glob("*.png")))
        differences = [abs(a - b) for x, y in zip(wanted, got) for a, b in zip(x, y)]
        self.assertLess(sum(differences) / len(differences), 8)

    def test_files_of_cameras_that_do_not_stitch_are_refused_with_what_to_do(self):
        clip = self.noise("a.mp4")
        for name, word in [("GS01.360", "GoPro"), ("VID.insv", "Insta360"), ("D.osv", "DJI")]:
            shutil.copy(clip, self.folder / name)
            self.assert_one_error(self.take(self.folder / name), 3, name, word)
        ffmpeg("-i", clip, "-i", clip, "-map", "0:v", "-map", "1:v", "-c", "copy", self.folder / "two.mp4")
        self.assert_one_error(self.take(self.folder / "two.mp4"), 3, "2 video tracks", "half a panorama")

    def test_places_come_from_a_gpx_beside_the_clip(self):
        clip = self.noise("a.mp4", "128x64", 4, 10, "", "-metadata", "creation_time=2024-05-31T12:00:00Z")
        (self.folder / "a.gpx").write_text(
            '<gpx><trk><trkseg><trkpt lat="-48.0" lon="2.0"><ele>100</ele><time>2024-05-31T12:00:00Z</time></trkpt>'
            '<trkpt lat="nan" lon="2.0"><time>2024-05-31T12:00:01Z</time></trkpt>'
            '<trkpt lat="-48.4" lon="2.4"><ele>-20</ele><time>2024-05-31T14:00:04+02:00</time></trkpt></trkseg></trk></gpx>')
        self.assert_code(self.take(clip, "--fps", "1", "--select", "first"), 0)
        row = self.rows()[1]
        self.assertEqual(row["time_s"], "1.000")
        self.assertAlmostEqual(float(row["latitude"]), -48.1, places=6)
        self.assertAlmostEqual(float(row["longitude"]), 2.1, places=6)
        self.assertAlmostEqual(float(row["altitude"]), 70, places=3)

    def test_what_is_there_is_kept_and_a_lost_frame_made_again(self):
        clip = self.noise("a.mp4", seconds=3)
        self.assert_code(self.take(clip), 0)
        before = {path.name: path.read_bytes() for path in self.images.iterdir()}
        manifest = (self.project / "01_frames/stage.json").read_bytes()
        lost = sorted(self.images.iterdir())[2]
        lost.unlink()
        done = self.take(clip, "--json")
        self.assertEqual(list(items(done)), [lost.stem])
        self.assertEqual({path.name: path.read_bytes() for path in self.images.iterdir()}, before)
        self.assertEqual((self.project / "01_frames/stage.json").read_bytes(), manifest)
        self.assert_one_error(self.take(clip, "--fps", "1"), 2, "fps 2.0 -> 1.0")
        for shard in ("1/2", "2/2"):
            self.assert_code(self.take(clip, "--fps", "5", "--update", "--shard", shard), 0)
        self.assertEqual(items(self.take(clip, "--fps", "5", "--update", "--json")), {})
        self.assertEqual(len(self.files(self.images)), 15)


class Photos(FramesTest):
    def test_panoramas_are_linked_and_other_files_named(self):
        self.panorama("in/a.png")
        (self.folder / "in/notes.txt").write_text("no picture")
        self.assert_code(self.take(self.folder / "in"), 0)
        self.assertEqual((self.images / "a.png").stat().st_ino, (self.folder / "in/a.png").stat().st_ino)
        (self.folder / "empty.mp4").write_bytes(b"")
        self.assert_one_error(self.take(self.folder / "empty.mp4"), 3, "empty.mp4", "is empty")
        self.assert_one_error(self.take(self.folder / "in/notes.txt"), 3, "neither a video nor a picture")
        self.assert_one_error(self.take(self.folder / "none"), 3, "none")

    def test_a_wrong_extension_does_not_matter_and_broken_files_do_not_stop_the_others(self):
        self.panorama("in/a.jpg")  # a PNG
        (self.folder / "in/broken.mp4").write_bytes(b"\0\0\0\x20ftypisom" + b"\0" * 200)
        (self.folder / "in/empty.jpg").write_bytes(b"")
        (self.folder / "in/text.png").write_text("no picture")
        done = self.take(self.folder / "in")
        self.assert_code(done, 1)
        errors = sorted(done.stderr.splitlines())
        self.assertEqual(len(errors), 3, errors)
        for error, words in zip(errors, ["broken.mp4: not a video that can be read", "empty.jpg: the file is empty",
                                         "text.png: neither a video nor a picture"]):
            self.assertIn(words, error)
        self.assertEqual(self.files(self.images), ["a.jpg"])
        self.assertEqual(len(self.rows()), 1)

    def test_cropped_panoramas_are_padded_and_turned_ones_levelled(self):
        folder = programs.samples("pano")
        self.assert_code(self.take(folder / "psv_snow.jpg", folder / "vrview_whale-left.jpg"), 0)
        done = run("pipeline_360", "equirect", "--project", self.project, "--log-level", "error")
        self.assert_code(done, 0)
        out = self.project / "02_equirect/images"
        self.assertEqual(image_size(out / "psv_snow.jpg"), (4542, 2271))
        self.assertEqual(image_size(out / "vrview_whale-left.jpg"), (4096, 2048))
        self.assertEqual((out / "vrview_whale-left.jpg").stat().st_ino,
                         (self.images / "vrview_whale-left.jpg").stat().st_ino)

    def test_level_takes_what_the_help_says_and_nothing_else(self):
        self.panorama("p/01_frames/images/a.png")
        for level in ("none", "xmp", "exif", "10,-5,3", "gravity:0,1,0.1"):
            self.assert_code(run("pipeline_360", "equirect", "--project", self.project, "--level", level, "--force"), 0)
        for level in ("up", "1,2", "gravity:0,0,0", "1,2,x", "gravity:"):
            self.assert_one_error(run("pipeline_360", "equirect", "--project", self.project, "--level", level), 2, level)


if __name__ == "__main__":
    unittest.main()
