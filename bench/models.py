"""The models of the rows, written as bytes by a few lines of our own: no library that is measured has a hand in them.

    python bench/models.py N K        writes them, at full size, and prints where they are

N  200k small nodes, about 150 bytes each: 20-byte names, 2 or 3 inputs, 1 or 2 outputs, 2 attributes
K  50k initializers of 256 bytes
T  shaped like a transformer: 5k nodes, 300 tensors
W  1 GiB in 512 tensors
A  the same with 4032 bytes more each, so that the next one begins on a page only where there is a gap of 64
H  the same with 4.5 MiB each, so over 2 GiB
F  the same with 8 MiB each, so 4 GiB; payloads are holes of the file, for acts that do not read them
C  64 MiB in 32 tensors
S  one tensor of 1 MiB
L  one tensor of 1 GiB
D  100k small nodes with 10k small weights and four of 8 MiB: half of a pair to compare

They are written into a folder outside the tree ($ONNX_LIGHT_BENCH_CACHE, else shared memory, else the temporary folder), under names that
tell what is in them. Fields stand in ascending order, as protobuf writes them, so every library must give these very bytes back.
"""

import contextlib
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

VERSION = 1  # of what the generators write; a part of the file names
MIB = 1 << 20
OPS = ("Conv", "Relu", "MatMul", "Add", "LayerNormalization", "Gather")


class Hole:
    """So many zeros, which take no room in a file."""

    def __init__(self, size: int) -> None:
        self.size = size

    def __len__(self) -> int:
        return self.size


Piece = bytes | memoryview | Hole


class Wire:
    """Serialised fields in order. Payloads are kept by reference, so a model of any size costs only its structure."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.size = 0

    def _put(self, piece: Piece) -> None:
        self.pieces.append(piece)
        self.size += len(piece)

    def number(self, field: int, value: int) -> "Wire":
        self._put(varint(field << 3) + varint(value))
        return self

    def text(self, field: int, value: str | Piece) -> "Wire":
        data = value.encode() if isinstance(value, str) else value
        self._put(varint(field << 3 | 2) + varint(len(data)))
        self._put(data)
        return self

    def message(self, field: int, child: "Wire") -> "Wire":
        self._put(varint(field << 3 | 2) + varint(child.size))
        self.pieces += child.pieces
        self.size += child.size
        return self


def varint(value: int) -> bytes:
    if value < 0x80:
        return bytes((value,))
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def tensor(name: str, dims: Iterable[int], data: Piece) -> Wire:
    made = Wire()
    for dim in dims:
        made.number(1, dim)
    return made.number(2, 1).text(8, name).text(9, data)


def node(op: str, name: str, inputs: Iterable[str], outputs: Iterable[str], attributes: Iterable[Wire] = ()) -> Wire:
    made = Wire()
    for value in inputs:
        made.text(1, value)
    for value in outputs:
        made.text(2, value)
    made.text(3, name).text(4, op)
    for attribute in attributes:
        made.message(5, attribute)
    return made


def attribute_int(name: str, value: int) -> Wire:
    return Wire().text(1, name).number(3, value).number(20, 2)


def attribute_ints(name: str, values: Iterable[int]) -> Wire:
    made = Wire().text(1, name)
    for value in values:
        made.number(8, value)
    return made.number(20, 7)


def value_info(name: str, dims: Iterable[int]) -> Wire:
    shape = Wire()
    for dim in dims:
        shape.message(1, Wire().number(1, dim))
    return Wire().text(1, name).message(2, Wire().message(1, Wire().number(1, 1).message(2, shape)))


Wires = Iterable[Wire]


def model(name: str, nodes: Wires, tensors: Wires = (), inputs: Wires = (), outputs: Wires = ()) -> Wire:
    graph = Wire()
    for item in nodes:
        graph.message(1, item)
    graph.text(2, name)
    for item in tensors:
        graph.message(5, item)
    for item in inputs:
        graph.message(11, item)
    for item in outputs:
        graph.message(12, item)
    opset = Wire().text(1, "").number(2, 21)
    return Wire().number(1, 10).text(2, "bench").message(7, graph).message(8, opset)


def payload(size: int, seed: int = 0) -> Iterator[memoryview]:
    """Pieces of `size` bytes each, forever: windows into one block of noise, so that nothing can be deduplicated into zero pages."""
    whole = 128 << 20  # randbytes takes no more than 256 MiB
    noise = random.Random(seed).randbytes(min(size + 4096, whole))
    noise = (noise * ((size + 4096) // len(noise) + 1))[: size + 4096]
    view = memoryview(noise)
    start = 0
    while True:
        yield view[start : start + size]
        start = (start + 64) % 4096


def small_nodes(count: int) -> Wire:
    def value(i: int) -> str:
        return f"layer.{i:08d}/value"

    def one(i: int) -> Wire:
        inputs = [value(i), value(i // 2)] + ([value(i // 3)] if i % 2 else [])
        outputs = [value(i + 1)] + ([value(i + count)] if i % 3 == 0 else [])
        return node(OPS[i % 6], value(i), inputs, outputs, (attribute_int("axis", i % 5), attribute_ints("shape", (1, i % 300))))

    return model("many nodes", (one(i) for i in range(count)))


def small_tensors(count: int) -> Wire:
    data = payload(256)
    return model("many initializers", (), (tensor(f"layer.{i:08d}.bias", (64,), next(data)) for i in range(count)))


def nodes_with_weights(count: int, small: int, large: int) -> Wire:
    """A tenth of the nodes has a small weight each, the first four have a large one."""

    def one(i: int) -> Wire:
        inputs = [f"layer.{i:08d}/value", f"layer.{i // 2:08d}/value"] + ([f"layer.{i:08d}.weight"] if i % 10 == 0 else [])
        outputs = [f"layer.{i + 1:08d}/value"]
        return node(OPS[i % 6], f"layer.{i:08d}", inputs, outputs, (attribute_int("axis", i % 5), attribute_ints("shape", (1, i % 300))))

    def weight(i: int) -> Wire:
        size = large if i < 40 else small
        return tensor(f"layer.{i:08d}.weight", (size // 4,), next(payloads[size]))

    payloads = {size: payload(size) for size in (small, large)}
    inputs, outputs = [value_info("layer.00000000/value", (1, 64))], [value_info(f"layer.{count:08d}/value", (1, 64))]
    return model("nodes with weights", (one(i) for i in range(count)), (weight(i) for i in range(0, count, 10)), inputs, outputs)


def holes(size: int) -> Iterator[Hole]:
    while True:
        yield Hole(size)


def large_tensors(count: int, size: int, payloads: Callable[[int], Iterator[Piece]] = payload) -> Wire:
    data = payloads(size)
    rows, rest = divmod(size, 4096)
    dims = (size // 4,) if rest else (rows, 1024)
    names = [f"block.{i:04d}.weight" for i in range(count)]
    nodes = (node("MatMul", f"/block.{i}/MatMul", (f"x{i}" if i else "input", names[i]), (f"x{i + 1}",)) for i in range(count))
    tensors = (tensor(name, dims, next(data)) for name in names)
    return model("large tensors", nodes, tensors, [value_info("input", (1, rows))], [value_info(f"x{count}", (1, 1024))])


def sparse_tensors(count: int, size: int) -> Wire:
    return large_tensors(count, size, holes)


def transformer(layers: int, width: int) -> Wire:
    """100 nodes and 6 tensors a layer, with the names and the share of shape arithmetic that exported transformers have."""
    weights = {"attn.qkv": (width, 3 * width), "attn.out": (width, width), "mlp.up": (width, 4 * width), "mlp.down": (4 * width, width),
               "norm_1": (width,), "norm_2": (width,)}  # fmt: skip
    data = {name: payload(4 * dims[0] * (dims[1] if len(dims) > 1 else 1), seed) for seed, (name, dims) in enumerate(weights.items())}
    nodes, tensors = [], []
    flow = "hidden"
    for layer in range(layers):
        prefix = f"/model/layers.{layer}"
        for name, dims in weights.items():
            tensors.append(tensor(f"model.layers.{layer}.{name}.weight", dims, next(data[name])))
            op = "LayerNormalization" if name.startswith("norm") else "MatMul"
            attributes = (attribute_int("axis", (1 << 64) - 1),) if op == "LayerNormalization" else ()
            out = f"{prefix}/{name}/{op}_output_0"
            nodes.append(node(op, f"{prefix}/{name}/{op}", (flow, f"model.layers.{layer}.{name}.weight"), (out,), attributes))
            flow = out
        for step in range(94):
            op = ("Shape", "Gather", "Unsqueeze", "Concat", "Reshape", "Transpose", "Mul", "Add")[step % 8]
            attributes = {
                "Transpose": (attribute_ints("perm", (0, 2, 1, 3)),),
                "Gather": (attribute_int("axis", 0),),
                "Concat": (attribute_int("axis", 0),),
            }.get(op, ())
            inputs = (flow,) if op in ("Shape", "Transpose") else (flow, f"{prefix}/norm_2/LayerNormalization_output_0")
            out = f"{prefix}/{op}_{step}_output_0"
            nodes.append(node(op, f"{prefix}/{op}_{step}", inputs, (out,), attributes))
            flow = out
    return model("transformer", nodes, tensors, [value_info("hidden", (1, 128, width))], [value_info(flow, (1, 128, width))])


# What each model is, at a tenth of its size for quick runs; the parameters are part of the file's name.
MODELS: dict[str, tuple[Callable[..., Wire], tuple[int, ...], tuple[int, ...]]] = {
    "N": (small_nodes, (200_000,), (20_000,)),
    "K": (small_tensors, (50_000,), (5_000,)),
    "T": (transformer, (50, 256), (5, 256)),
    "W": (large_tensors, (512, 2 * MIB), (51, 2 * MIB)),
    "A": (large_tensors, (512, 2 * MIB + 4032), (51, 2 * MIB + 4032)),
    "H": (large_tensors, (512, 9 * MIB // 2), (51, 9 * MIB // 2)),
    "E": (sparse_tensors, (512, 2 * MIB), (51, 2 * MIB)),
    "F": (sparse_tensors, (512, 8 * MIB), (51, 8 * MIB)),
    "C": (large_tensors, (32, 2 * MIB), (3, 2 * MIB)),
    "S": (large_tensors, (1, MIB), (1, MIB)),
    "D": (nodes_with_weights, (100_000, 256, 8 * MIB), (10_000, 256, 8 * MIB)),
    "L": (large_tensors, (1, 1024 * MIB), (1, 102 * MIB)),
}


def kept_folder() -> Path | None:
    """Where models stay from run to run, if somebody asked for that."""
    asked = os.environ.get("ONNX_LIGHT_BENCH_CACHE")
    return Path(asked) if asked else None


def folder_for(needed: int) -> Path:
    if kept := kept_folder():
        return kept
    memory = Path("/dev/shm")
    if "TMPDIR" not in os.environ and memory.is_dir() and os.access(memory, os.W_OK):
        room = os.statvfs(memory)
        if room.f_bavail * room.f_frsize > 4 * needed + (256 << 20):
            return memory / f"onnx-light-bench-{os.getuid()}"
    return Path(tempfile.gettempdir()) / f"onnx-light-bench-{os.getuid()}"


class ModelFiles:
    """The models of one run, at full size or a tenth of it.

    Shared memory is memory: what this run wrote goes once no later row needs it, unless $ONNX_LIGHT_BENCH_CACHE says where to keep it.
    """

    def __init__(self, quick: bool = False) -> None:
        self.quick = quick
        self.written: dict[str, Path] = {}

    def path_of(self, name: str) -> Path:
        """The file of the model called `name`, written now if it is not there."""
        make, full, tenth = MODELS[name]
        parameters = tenth if self.quick else full
        folder = folder_for((3 << 30) if name in "WAHL" and not self.quick else 0)
        path = folder / ("-".join([name.lower(), *map(str, parameters), f"v{VERSION}"]) + ".onnx")
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            unfinished = path.with_suffix(f".{os.getpid()}.part")
            with unfinished.open("wb") as out:
                for piece in make(*parameters).pieces:
                    if isinstance(piece, Hole):
                        out.seek(len(piece), os.SEEK_CUR)
                    else:
                        out.write(piece)
            unfinished.replace(path)
            self.written[name] = path
        return path

    def keep_only(self, names: set[str]) -> None:
        """Removes the models that this run wrote and that are none of these, and folders that are empty then."""
        if kept_folder():
            return
        for name in self.written.keys() - names:
            path = self.written.pop(name)
            path.unlink(missing_ok=True)
            with contextlib.suppress(OSError):
                path.parent.rmdir()


if __name__ == "__main__":
    for wanted in sys.argv[1:] or list(MODELS):
        print(ModelFiles().path_of(wanted))
