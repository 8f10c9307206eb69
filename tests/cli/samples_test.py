"""Every sample raw becomes a picture, every broken one an error."""
import unittest

import programs
from programs import ProgramTest, json_lines, png_rows, run


class SampleRaws(ProgramTest):
    def test_become_pictures_that_show_something(self):
        folder = programs.samples("raw")
        photos = sorted(path for path in folder.iterdir() if path.is_file() and path.suffix != ".md")
        self.assertGreater(len(photos), 0)
        done = run("imago-cli", "render", *photos, "-o", self.folder, "--format", "png", "--size", "64",
                   "--no-sidecar", "--json")
        self.assert_code(done, 0)
        self.assertEqual(len(json_lines(done)), len(photos))
        for line in json_lines(done):
            with self.subTest(line["input"]):
                self.assertEqual(max(line["width"], line["height"]), 64)
                values = sorted(value for row in png_rows(line["output"]) for value in row)
                low, middle, high = (values[len(values) * part // 100] for part in (5, 50, 95))
                self.assertGreater(high, 90, "too dark")
                self.assertLess(low, 200, "too bright")
                self.assertGreater(high - low, 50, "no contrast")
                self.assertTrue(15 < middle < 240, f"median {middle}")

    def test_that_are_broken_give_one_clear_line_and_no_file(self):
        folder = programs.samples("raw/broken")
        for photo in sorted(folder.iterdir()):
            with self.subTest(photo.name):
                done = run("imago-cli", "render", photo, "-o", self.folder / "out.jpg", timeout=60)
                self.assert_one_error(done, 3, photo.name)
                self.assertGreater(len(done.stderr), len(f"error: {photo.name}: ") + 15)
                info = run("imago-cli", "info", photo, timeout=60)
                self.assertIn(info.returncode, (0, 3))
        self.assertEqual(self.files(), [])

    def test_that_are_broken_do_not_stop_a_batch(self):
        broken = sorted(programs.samples("raw/broken").iterdir())
        good = self.raw("good.dng")
        done = run("imago-cli", "render", *broken, good, "-o", self.folder / "out", "--log-level", "error")
        self.assert_code(done, 1)
        self.assertEqual(len(done.stderr.splitlines()), len(broken), done.stderr)
        self.assertEqual(self.files(self.folder / "out"), ["good.jpg"])


if __name__ == "__main__":
    unittest.main()
