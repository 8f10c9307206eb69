"""Presets, Lightroom's settings, looks from tables, tone by itself, histograms: what imago-cli makes of them."""
import json
import os
import unittest

from programs import ProgramTest, json_lines, run, samples

XMP = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" crs:ProcessVersion="11.0"
 crs:Exposure2012="-1.00" crs:Contrast2012="+20" crs:ConvertToGrayscale="True" crs:LensProfileEnable="1"/>
</rdf:RDF></x:xmpmeta>"""


def cube(entry, size=5):
    steps = [i / (size - 1) for i in range(size)]
    lines = [f"LUT_3D_SIZE {size}"] + ["%g %g %g" % entry(r, g, b) for b in steps for g in steps for r in steps]
    return "\n".join(lines) + "\n"


class Looks(ProgramTest):
    def setUp(self):
        super().setUp()
        self.photo = self.raw()
        self.env = {"XDG_CONFIG_HOME": str(self.folder / "config")}

    def render(self, *arguments):
        out = self.folder / "out.png"
        done = run("imago-cli", "render", self.photo, "-o", out, *arguments, "--json", env=self.env)
        self.assert_code(done, 0)
        return out.read_bytes(), json_lines(done)[0]

    def test_a_preset_does_what_its_settings_do(self):
        wanted, _ = self.render("--set", "exposure.ev=1", "--set", "hsl.hue_red=30")
        preset = self.folder / "a preset.json"
        preset.write_text(json.dumps({"name": "x", "settings": {"exposure": {"ev": 1}, "hsl": {"hue_red": 30}}}))
        got, line = self.render("--preset", preset)
        self.assertEqual(got, wanted)
        self.assertNotIn("warnings", line)

    def test_presets_are_saved_listed_and_found_by_name(self):
        self.assert_code(run("imago-cli", "edit", self.photo, "--set", "tone.contrast=40", "--set", "exposure.ev=1"), 0)
        done = run("imago-cli", "presets", "save", "Punch", self.photo, "--only", "tone", env=self.env)
        self.assert_code(done, 0)
        (line,) = json_lines(run("imago-cli", "presets", "--json", env=self.env))
        self.assertEqual((line["name"], line["settings"]), ("Punch", {"tone": {"contrast": 40}}))
        named, _ = self.render("--no-sidecar", "--preset", "Punch")
        wanted, _ = self.render("--no-sidecar", "--set", "tone.contrast=40")
        self.assertEqual(named, wanted)
        done = run("imago-cli", "render", self.photo, "-o", self.folder / "b.png", "--preset", "Pnuch", env=self.env)
        self.assert_one_error(done, 2, "there are Punch")

    def test_settings_of_lightroom_are_translated_and_said(self):
        xmp = self.folder / "lightroom.xmp"
        xmp.write_text(XMP)
        done = run("imago-cli", "convert-xmp", xmp, "--json")
        self.assert_code(done, 0)
        (line,) = json_lines(done)
        self.assertEqual(line["settings"], {"exposure": {"ev": -1}, "tone": {"contrast": 20}, "black_white": {"enabled": True}})
        self.assertEqual(line["dropped"], ["LensProfileEnable 1"])
        got, _ = self.render("--xmp", xmp)
        wanted, _ = self.render("--set", "exposure.ev=-1", "--set", "tone.contrast=20", "--set", "black_white.enabled=true")
        self.assertEqual(got, wanted)
        preset = self.folder / "p.json"
        self.assert_code(run("imago-cli", "convert-xmp", xmp, "-o", preset), 0)
        got, _ = self.render("--preset", preset)
        self.assertEqual(got, wanted)
        self.assert_code(run("imago-cli", "convert-xmp", xmp, "-o", self.photo), 0)
        got, _ = self.render()
        self.assertEqual(got, wanted)

    def test_what_is_no_settings_of_lightroom_is_named(self):
        for text, part in [("hello", "is not XMP"), (XMP.replace("crs:", "abc:").replace("xmlns:abc", "xmlns:crs"), "")]:
            xmp = self.folder / "bad.xmp"
            xmp.write_text(text)
            self.assert_one_error(run("imago-cli", "convert-xmp", xmp), 3, part)

    def test_samples_of_other_programs(self):
        folder = samples("xmp")
        done = run("imago-cli", "convert-xmp", folder / "photoprism_canon_eos_6d.xmp", "--json")
        self.assert_code(done, 0)
        self.assertGreater(json_lines(done)[0]["atDefault"], 40)
        for name in ("darktable_masks.xmp", "mei_digikam-example.xmp"):
            self.assert_one_error(run("imago-cli", "convert-xmp", folder / name), 3, "no settings of Lightroom")

    def test_a_table_is_a_look(self):
        plain, _ = self.render("--bits", "16")
        same, inverse = self.folder / "same.cube", self.folder / "inverse.cube"
        same.write_text(cube(lambda r, g, b: (r, g, b)))
        inverse.write_text(cube(lambda r, g, b: (1 - r, 1 - g, 1 - b)))
        one, _ = self.render("--bits", "16", "--lut", inverse)
        self.assertNotEqual(one, plain)
        by_setting, _ = self.render("--bits", "16", "--set", f"lut.file={inverse}")
        self.assertEqual(by_setting, one)
        off, _ = self.render("--bits", "16", "--lut", inverse, "--set", "lut.amount=0")
        self.assertEqual(off, plain)
        broken = self.folder / "broken.cube"
        broken.write_text("LUT_3D_SIZE 2\n0 0 0\n")
        done = run("imago-cli", "render", self.photo, "-o", self.folder / "b.png", "--lut", broken)
        self.assert_one_error(done, 3, "broken.cube: 1 entries where its size asks for 8")

    def test_tone_by_itself_goes_into_the_sidecar(self):
        done = run("imago-cli", "auto", self.photo, "--json")
        self.assert_code(done, 0)
        (line,) = json_lines(done)
        self.assertIn("exposure", line["settings"])
        (again,) = json_lines(run("imago-cli", "edit", self.photo, "--json"))
        self.assertEqual(again["settings"], line["settings"])
        (white,) = json_lines(run("imago-cli", "auto", self.photo, "--wb", "tungsten", "--json"))
        self.assertEqual(white["settings"]["white_balance"], {"temperature_k": 2850})
        (picked,) = json_lines(run("imago-cli", "auto", self.photo, "--neutral", "0.5,0.5", "--dry-run", "--json"))
        self.assertIn("temperature_k", picked["settings"]["white_balance"])
        self.assert_one_error(run("imago-cli", "auto", self.photo, "--wb", "moon"), 2, "there are as_shot, daylight")

    def test_a_histogram_counts_every_pixel(self):
        (line,) = json_lines(run("imago-cli", "histogram", self.photo, "--scopes"))
        self.assertEqual(line["pixels"], 96 * 64)
        for name in ("red", "green", "blue", "luma", "waveform", "vectorscope"):
            self.assertEqual(sum(line[name]), 96 * 64, name)


if __name__ == "__main__":
    unittest.main()
