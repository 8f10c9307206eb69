"""workflow/Snakefile with the real snakemake: IMAGO_SNAKEMAKE names it (else the one in the PATH; without one, skipped)."""
import os
import shutil
import subprocess
import unittest

import programs
from programs import BIN, ProgramTest, environment, run


def snakemake_program():
    program = os.environ.get("IMAGO_SNAKEMAKE") or "snakemake"
    if not shutil.which(program):
        raise unittest.SkipTest("SKIPPED: no snakemake (pip install snakemake, IMAGO_SNAKEMAKE=program)")
    return program


class Workflow(ProgramTest):
    def setUp(self):
        super().setUp()
        self.snakemake = snakemake_program()
        for i in range(9):
            self.panorama(f"in/{i}.png", "--exposure", str(0.5 + 0.05 * i))

    def flow(self, program):
        return subprocess.run(
            [self.snakemake, "--snakefile", programs.ROOT / "workflow/Snakefile", "--cores", "3", "--directory",
             self.folder, "--quiet", "all", "--rerun-triggers", "mtime", "--config", f"project={self.folder / 'p'}",
             f"inputs={self.folder / 'in'}", "shards=3", f"program={program}", "reconstruct=False",
             "cubemap=--face-size 64", "masks=--mask-nadir 20"],
            env=environment(HOME=str(self.folder)), capture_output=True, text=True, timeout=300)

    def test_three_shards_of_which_one_is_killed_end_like_one_run(self):
        flaky = self.folder / "flaky"
        flaky.write_text(f"""#!/bin/sh
case "$* " in
*"cubemap "*"--shard 2/3 "*)
  if [ ! -e '{self.folder}/killed' ]; then
    touch '{self.folder}/killed'
    '{BIN}/pipeline_360' "$@" &
    sleep 0.05
    kill -9 $!
    wait $!
    exit 137
  fi ;;
esac
exec '{BIN}/pipeline_360' "$@"
""")
        flaky.chmod(0o755)
        first = self.flow(flaky)
        self.assertNotEqual(first.returncode, 0)
        self.assertTrue((self.folder / "killed").exists(), first.stderr)
        second = self.flow(flaky)
        self.assertEqual(second.returncode, 0, second.stderr)
        self.assert_code(run("pipeline_360", "verify", self.folder / "p"), 0)
        self.assert_code(run("pipeline_360", "run", self.folder / "whole", self.folder / "in", "--face-size", "64",
                             "--mask-nadir", "20", "--until", "masks"), 0)
        for stage in ("01_frames", "02_equirect", "03_cubemap"):
            for name in self.files(self.folder / "whole" / stage):
                if "/.imago-" not in "/" + name:
                    self.assertEqual((self.folder / "p" / stage / name).read_bytes(),
                                     (self.folder / "whole" / stage / name).read_bytes(), name)


if __name__ == "__main__":
    unittest.main()
