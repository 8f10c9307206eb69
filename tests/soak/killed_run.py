"""killed_run.py SECONDS: see killed_run.sh. Prints its seed; SEED=N repeats one."""
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

BIN = pathlib.Path(os.environ.get("IMAGO_BUILD", "build/dev")).resolve() / "bin"
LEAST_KILLS = 20
FRAMES = 24


def environment():
    return {**os.environ, "IMAGO_GPU": "0", "IMAGO_NO_PREFS": "1"}


def film(folder):
    """A clip of the scene, one squeezed photo and one crop: every kind of item."""
    for i in range(FRAMES):
        subprocess.run([BIN / "imago-demo-scene", "--pano", folder / f"{i:03}.png", "--pano-size", "384x192", "--at",
                        f"{-0.6 + 0.05 * i},0,{0.02 * i}"], check=True, capture_output=True)
    clip = folder / "in/clip.mp4"
    clip.parent.mkdir()
    subprocess.run(["ffmpeg", "-v", "error", "-framerate", "6", "-i", folder / "%03d.png", "-pix_fmt", "yuv420p", clip],
                   check=True)
    shutil.copy(folder / "000.png", folder / "in/photo ä.png")
    return clip.parent


def command(project, inputs):
    return [BIN / "pipeline_360", "run", project, inputs, "--fps", "6", "--min-motion", "0", "--min-sharpness", "0",
            "--level", "3,2,1", "--face-size", "96", "--mask-nadir", "25", "--until", "masks", "--log-level", "error"]


def content(project):
    return {path.relative_to(project).as_posix(): path.read_bytes()
            for path in sorted(project.rglob("*")) if path.is_file()}


def disturbed(project, inputs, whole_seconds, chance, kills):
    """One project to its end; returns how often it was killed."""
    killed = 0
    while True:
        process = subprocess.Popen(command(project, inputs), env=environment(), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        if killed < kills:
            time.sleep(chance.uniform(0, whole_seconds))
            process.kill()
        error = process.communicate()[1].decode()
        if process.returncode == 0:
            return killed
        if process.returncode != -9:
            sys.exit(f"after {killed} kills the run ended with {process.returncode}: {error}")
        killed += 1


def main():
    seconds = float(sys.argv[1])
    if not shutil.which("ffmpeg"):
        print("SKIPPED: no ffmpeg program")
        return
    seed = int(os.environ.get("SEED", random.randrange(1 << 32)))
    print(f"killed_run: SEED={seed}")
    chance, end, total = random.Random(seed), time.monotonic() + seconds, 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        inputs = film(folder)
        start = time.monotonic()
        subprocess.run(command(folder / "whole", inputs), check=True, env=environment())
        whole_seconds = time.monotonic() - start
        wanted = content(folder / "whole")
        if len(wanted) < 6 * FRAMES * 2:
            sys.exit(f"only {len(wanted)} files were made")
        while total < LEAST_KILLS or time.monotonic() < end:
            project = folder / "killed"
            total += disturbed(project, inputs, whole_seconds, chance, 5)
            got = content(project)
            left = [path for path in got if path not in wanted and not path.split("/")[-1].startswith(".imago-")]
            different = [path for path in wanted if got.get(path) != wanted[path]]
            if left or different:
                sys.exit(f"different: {different[:5]}, left over: {left[:5]}")
            shutil.rmtree(project)
    print(f"killed_run: {total} kills, every project ended like the undisturbed one ({len(wanted)} files)")


if __name__ == "__main__":
    main()
