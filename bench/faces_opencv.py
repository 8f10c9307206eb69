"""cv2.remap of an equirect picture to six 1920 px faces at 90 degrees: milliseconds, the fastest of seven.

Usage: faces_opencv.py PANORAMA [TRUTH_FOLDER]; the folder holds gt_{F,R,B,L,U,D}_1920.npy for the PSNR column.
"""
import sys
import time

import cv2
import numpy as np

SIZE = 1920
AXES = {"F": ((0, 0, 1), (1, 0, 0), (0, 1, 0)), "R": ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
        "B": ((0, 0, -1), (-1, 0, 0), (0, 1, 0)), "L": ((-1, 0, 0), (0, 0, 1), (0, 1, 0)),
        "U": ((0, -1, 0), (1, 0, 0), (0, 0, 1)), "D": ((0, 1, 0), (1, 0, 0), (0, 0, -1))}


def maps(face, width, height):
    forward, right, down = (np.array(axis, np.float64) for axis in AXES[face])
    at = (np.arange(SIZE) + 0.5) / SIZE * 2 - 1
    ray = forward + at[None, :, None] * right + at[:, None, None] * down
    theta = np.arctan2(ray[..., 0], ray[..., 2])
    phi = np.arctan2(-ray[..., 1], np.hypot(ray[..., 0], ray[..., 2]))
    return (((theta / (2 * np.pi) + 0.5) * width - 0.5).astype(np.float32),
            ((0.5 - phi / np.pi) * height - 0.5).astype(np.float32))


def main():
    picture = cv2.imread(sys.argv[1])
    height, width = picture.shape[:2]
    all_maps = {face: maps(face, width, height) for face in AXES}
    print("| filter | ms | PSNR dB |\n|---|---|---|")
    for name, flag in (("linear", cv2.INTER_LINEAR), ("cubic", cv2.INTER_CUBIC), ("lanczos4", cv2.INTER_LANCZOS4)):
        best, faces = None, {}
        for _ in range(7):
            start = time.perf_counter()
            faces = {face: cv2.remap(picture, *all_maps[face], flag, borderMode=cv2.BORDER_WRAP) for face in AXES}
            best = min(best or 1e9, time.perf_counter() - start)
        psnr = ""
        if len(sys.argv) > 2:
            errors = [np.mean((faces[f][..., ::-1].astype(float) - np.load(f"{sys.argv[2]}/gt_{f}_{SIZE}.npy")) ** 2)
                      for f in AXES]
            psnr = f"{np.mean([10 * np.log10(255 ** 2 / e) for e in errors]):.2f}"
        print(f"| OpenCV {cv2.__version__} {name} | {best * 1000:.0f} | {psnr} |")


if __name__ == "__main__":
    main()
