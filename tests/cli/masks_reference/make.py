#!/usr/bin/env python3
"""The reference masks beside this script: the union of all persons as Ultralytics itself masks them.

    tests/cli/masks_reference/make.py MODELS PHOTOS FACES

MODELS holds yolov8n-seg.onnx and yolov8n-seg_dynamic.onnx, PHOTOS bus.jpg and zidane.jpg of Ultralytics, FACES the
folders that `pipeline_360 cubemap --face-size 768 --backend cpu` made of vrview_petra.jpg. Needs ultralytics (made with
8.4.190), torch, onnxruntime (1.32.0) and OpenCV; the tests themselves need none of them. Written are 8-bit grey PNG
files <model>-<size>-<picture>.png, 0 where a person is and 255 elsewhere, as pipeline_360 writes masks.
"""
import pathlib
import sys

import cv2
import numpy
from ultralytics import YOLO

MODELS = {"yolov8n-seg": [640], "yolov8n-seg_dynamic": [640, 1280]}


def union(model, picture, size):
    # retina_masks: prototypes are stretched to the picture's own size, cut to the box, then compared with 0.
    result = model.predict(picture, retina_masks=True, classes=[0], imgsz=size, verbose=False, device="cpu")[0]
    if result.masks is None:
        return numpy.zeros(result.orig_shape, bool), 0
    return result.masks.data.cpu().numpy().astype(bool).any(0), len(result.boxes)


def main():
    models, photos, faces = map(pathlib.Path, sys.argv[1:4])
    pictures = {path.stem: path for path in (photos / "bus.jpg", photos / "zidane.jpg")}
    pictures |= {f"petra_{face}": faces / face / "vrview_petra.jpg" for face in ("front", "right", "back", "left")}
    for name, sizes in MODELS.items():
        for size in sizes:
            model = YOLO(models / f"{name}.onnx", task="segment")  # anew: it keeps the size of its first run
            for picture, path in pictures.items():
                mask, found = union(model, path, size)
                out = pathlib.Path(__file__).with_name(f"{name}-{size}-{picture}.png")
                cv2.imwrite(str(out), numpy.where(mask, 0, 255).astype(numpy.uint8), [cv2.IMWRITE_PNG_COMPRESSION, 9])
                print(f"{out.name}: {found} persons, {mask.mean():.5f} of the picture")


if __name__ == "__main__":
    main()
