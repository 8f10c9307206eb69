#!/usr/bin/env python3
"""Small segmentation networks of every layout that pipeline_360 masks knows: what is red is a "person".

    tests/cli/onnx_models.py FOLDER      writes them all

They are written as protocol buffers by hand (onnx.proto: field numbers below), so that no package is needed. Each
network looks at redness = R - max(G, B): prototypes are the redness a quarter of the size, detections are the cells of
a 32 px grid in which something is red, each with a box of 64 px.
"""
import pathlib
import struct
import sys

FLOAT, INT64, FLOAT16 = 1, 7, 10


def varint(value):
    value &= (1 << 64) - 1
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, str):
        value = value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


def tensor(name, shape, values, kind=FLOAT):
    code = {FLOAT: "f", INT64: "q"}[kind]
    raw = struct.pack(f"<{len(values)}{code}", *values)
    return b"".join(field(1, n) for n in shape) + field(2, kind) + field(8, name) + field(9, raw)


def attribute(name, value):
    head = field(1, name)
    if isinstance(value, int):
        return head + field(3, value) + field(20, 2)
    if isinstance(value, float):
        return head + field(2, value) + field(20, 1)
    return head + b"".join(field(8, v) for v in value) + field(20, 7)


def node(kind, inputs, outputs, **attributes):
    return (b"".join(field(1, name) for name in inputs) + b"".join(field(2, name) for name in outputs) +
            field(4, kind) + b"".join(field(5, attribute(name, value)) for name, value in attributes.items()))


def port(name, kind, shape):
    dims = b"".join(field(1, field(1, n) if isinstance(n, int) else field(2, n)) for n in shape)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, dims)))


class Graph:
    def __init__(self):
        self.nodes, self.tensors, self.count = [], [], 0

    def constant(self, shape, values, kind=FLOAT):
        self.count += 1
        name = f"c{self.count}"
        self.tensors.append(tensor(name, shape, values, kind))
        return name

    def add(self, kind, *inputs, name=None, **attributes):
        self.count += 1
        name = name or f"n{self.count}"
        self.nodes.append(node(kind, inputs, [name], **attributes))
        return name

    def ints(self, *values):
        return self.constant([len(values)], values, INT64)

    def number(self, value):
        return self.constant([], [value])

    def model(self, inputs, outputs, metadata):
        graph = (b"".join(field(1, n) for n in self.nodes) + field(2, "red") +
                 b"".join(field(5, t) for t in self.tensors) + b"".join(field(11, p) for p in inputs) +
                 b"".join(field(12, p) for p in outputs))
        props = b"".join(field(14, field(1, key) + field(2, value)) for key, value in metadata.items())
        return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 13)) + props


def split_channels(g, picture):
    return [g.add("Slice", picture, g.ints(c), g.ints(c + 1), g.ints(1)) for c in range(3)]


def redness(g, picture):
    red, green, blue = split_channels(g, picture)
    return g.add("Sub", red, g.add("Max", green, blue))


def logits_of(g, red):
    """12 * (redness - 0.4): far above 0 where it is red."""
    return g.add("Mul", g.add("Sub", red, g.number(0.4)), g.number(12.0))


def cells(g, red):
    """Score and centre of each cell of the 32 px grid: three tensors [N, 1, h, w]."""
    score = g.add("Sigmoid", logits_of(g, g.add("MaxPool", red, kernel_shape=[32, 32], strides=[32, 32])))
    ones = g.add("Add", g.add("Mul", score, g.number(0.0)), g.number(1.0))
    x, y = (g.add("Mul", g.add("Sub", g.add("CumSum", ones, g.constant([], [axis], INT64)), g.number(0.5)),
                  g.number(32.0)) for axis in (3, 2))
    return score, x, y


def flat(g, maps):
    """Maps [N, 1, h, w] to [N, len(maps), h * w]."""
    return g.add("Reshape", g.add("Concat", *maps, axis=1), g.ints(0, len(maps), -1))


def prototypes(g, red, name):
    small = g.add("AveragePool", logits_of(g, red), kernel_shape=[4, 4], strides=[4, 4])
    return g.add("Concat", small, g.add("Neg", small), axis=1, name=name)  # two, the second never used


def shifted(g, value, by):
    return g.add("Add", value, g.number(by))


def times(g, value, by):
    return g.add("Mul", value, g.number(by))


def yolo(layout, size=320, dynamic=False, open_shapes=False, half=False, task="segment", names="{0: 'person', 1: \"driver's seat\", 2: 'tree'}",
         with_masks=True, end2end=None):
    g = Graph()
    picture = g.add("Cast", "images", to=FLOAT) if half else "images"
    red = redness(g, picture)
    score, x, y = cells(g, red)
    none = times(g, score, 0.0)
    box = shifted(g, none, 64.0)
    one = shifted(g, none, 1.0)
    coefficients = [one, none] if with_masks else []
    if layout in ("classic", "transposed"):
        rows = flat(g, [x, y, box, box, score, none, none, *coefficients])
        if layout == "transposed":
            rows = g.add("Transpose", rows, perm=[0, 2, 1])
        fields = 7 + len(coefficients)
    else:  # x1 y1 x2 y2 score class …
        rows = flat(g, [shifted(g, x, -32.0), shifted(g, y, -32.0), shifted(g, x, 32.0), shifted(g, y, 32.0), score, none,
                        *coefficients])
        rows = g.add("Transpose", rows, perm=[0, 2, 1])
        fields = 6 + len(coefficients)
        if layout == "nms":  # padded with rows of zeros
            rows = g.add("Pad", rows, g.ints(0, 0, 0, 0, 7, 0))
    kind = FLOAT16 if half else FLOAT
    out = g.add("Cast", rows, name="output0", to=kind) if half else g.add("Identity", rows, name="output0")
    dynamic = dynamic or open_shapes
    cells_count = (size // 32) ** 2 + (7 if layout == "nms" else 0)
    n, edge, anchors = ("batch", "edge", "anchors") if dynamic else (1, size, cells_count)
    if open_shapes:  # as some exports leave it: nothing but the rank is told
        fields = "fields"
    shape = [n, fields, anchors] if layout == "classic" else [n, anchors, fields]
    outputs = [port("output0", kind, shape)]
    if with_masks:
        masks = prototypes(g, red, "prototypes" if half else "output1")
        if half:
            g.add("Cast", masks, name="output1", to=kind)
        quarter = "quarter" if dynamic else size // 4
        outputs.append(port("output1", kind, [n, 2, quarter, quarter]))
    metadata = {"task": task, "names": names, "imgsz": f"[{size}, {size}]", "stride": "32"}
    if end2end is not None:
        metadata["end2end"] = str(end2end)
    return g.model([port("images", kind, [n, 3, edge, edge])], outputs, {k: v for k, v in metadata.items() if v})


def rf_detr(size=320, mask_name="masks", classes=3):
    g = Graph()
    mean = g.constant([1, 3, 1, 1], [0.485, 0.456, 0.406])
    deviation = g.constant([1, 3, 1, 1], [0.229, 0.224, 0.225])
    red = redness(g, g.add("Add", g.add("Mul", "input", deviation), mean))
    score, x, y = cells(g, red)
    size_share = shifted(g, times(g, score, 0.0), 64.0 / size)
    boxes = flat(g, [times(g, x, 1.0 / size), times(g, y, 1.0 / size), size_share, size_share])
    g.add("Transpose", boxes, perm=[0, 2, 1], name="dets")
    logit = times(g, shifted(g, score, -0.5), 20.0)
    low = shifted(g, times(g, score, 0.0), -20.0)
    g.add("Transpose", flat(g, [low, logit, *[low] * (classes - 2)]), perm=[0, 2, 1], name="labels")
    small = g.add("AveragePool", logits_of(g, red), kernel_shape=[4, 4], strides=[4, 4])
    queries = (size // 32) ** 2
    g.add("Expand", small, g.ints(1, queries, 1, 1), name=mask_name)
    return g.model([port("input", FLOAT, [1, 3, size, size])],
                   [port("dets", FLOAT, [1, queries, 4]), port("labels", FLOAT, [1, queries, classes]),
                    port(mask_name, FLOAT, [1, queries, size // 4, size // 4])], {})


MODELS = {
    "classic": lambda: yolo("classic"),
    "transposed": lambda: yolo("transposed"),
    "end_to_end": lambda: yolo("end_to_end", end2end=True),
    "nms_embedded": lambda: yolo("nms"),
    "half": lambda: yolo("classic", half=True),
    "dynamic": lambda: yolo("classic", dynamic=True),
    "open_shapes": lambda: yolo("classic", open_shapes=True),
    "no_metadata": lambda: yolo("classic", task="", names="", size=320),
    "rf_detr": rf_detr,
    "rf_detr_numbered": lambda: rf_detr(mask_name="4245"),
    "rf_detr_coco": lambda: rf_detr(classes=91),
    "detection": lambda: yolo("classic", with_masks=False, task="detect"),
    "detection_no_metadata": lambda: yolo("classic", with_masks=False, task="", names=""),
}

if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in MODELS.items():
        (folder / f"{name}.onnx").write_bytes(make())
