"""The acts on a whole model in Python, written once for every package that mirrors `onnx`: so all of them do the same job.

An act is a class: made with the package and the model's path, `prepare` before the clock, `act` under it, `check` for the result (what it
returns is held against the other sides), `undo` after it. A row that needs a new act gets a class here and a line in ACTS.
"""
# ruff: noqa: B018  reading an attribute is what is timed

import copy
import filecmp
import functools
import importlib
import subprocess
import sys
import warnings
import zlib
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar


class Act:
    reads_bytes: ClassVar[bool] = True

    def __init__(self, package: ModuleType, path: str) -> None:
        self.package = package
        self.path = path
        self.bytes = Path(path).read_bytes() if self.reads_bytes else b""
        self.model: Any = None

    def prepare(self) -> None: ...

    def act(self) -> None:
        raise NotImplementedError

    def check(self) -> dict[str, int]:
        return self.found(self.model)

    def undo(self) -> None: ...

    def parsed(self) -> Any:
        model = self.package.ModelProto()
        model.ParseFromString(self.bytes)
        return model

    def found(self, model: Any) -> dict[str, int]:
        size = Path(self.path).stat().st_size
        return {"items": len(model.graph.node) + len(model.graph.initializer), "bytes": size}

    def found_same_bytes(self, model: Any) -> dict[str, int]:
        if model.SerializeToString() != Path(self.path).read_bytes():
            raise AssertionError("the model does not serialise to the bytes it came from")
        return self.found(model)


class Parse(Act):
    def act(self) -> None:
        self.model = self.package.ModelProto()
        self.model.ParseFromString(self.bytes)

    def check(self) -> dict[str, int]:
        return self.found_same_bytes(self.model)

    def undo(self) -> None:
        self.model = None


class Load(Parse):
    reads_bytes = False

    def act(self) -> None:
        self.model = self.package.load(self.path)


class LoadThreads(Load):
    """By so many threads, which only this library has."""

    arguments: ClassVar[dict[str, Any]] = {}

    def act(self) -> None:
        self.model = self.package.load(self.path, **self.arguments)


class Repeated(Act):
    """Several times, small models more often: one time would be too short to be told from the next. Each item counts as often, so that
    an act that does the job once is no partner."""

    def prepare(self) -> None:
        super().prepare()
        size = Path(self.path).stat().st_size
        self.times = 400 if size < 4 << 20 else 16 if size < 256 << 20 else 2

    def check(self) -> dict[str, int]:
        found = super().check()
        return found | {"items": self.times * found["items"]}


class LoadThreadsAgain(Repeated, LoadThreads):
    def act(self) -> None:
        for _ in range(self.times):
            super().act()


class LoadMapped(Load):
    def act(self) -> None:
        self.model = self.package.load(self.path, no_copy=True, file_load_mode=self.package.FileLoadMode.MMAP)

    def check(self) -> dict[str, int]:
        if not all(tensor.raw_data_view.is_borrowed for tensor in self.model.graph.initializer):
            raise AssertionError("a payload was copied")
        self.package.save(self.model, self.path + ".check")
        same = filecmp.cmp(self.path, self.path + ".check", shallow=False)
        Path(self.path + ".check").unlink()
        if not same:
            raise AssertionError("the model does not serialise to the bytes it came from")
        return self.found(self.model)


class Save(Act):
    """To a path that does not exist, beside the model."""

    reads_bytes = False

    def prepare(self) -> None:
        self.model = self.model or self.package.load(self.path)
        self.target = f"{self.path}.{self.package.__name__}.saved"

    def act(self) -> None:
        self.package.save(self.model, self.target, "protobuf")

    def check(self) -> dict[str, int]:
        if not filecmp.cmp(self.path, self.target, shallow=False):
            raise AssertionError("the file that was saved differs from the one that was loaded")
        return self.found(self.model)

    def undo(self) -> None:
        Path(self.target).unlink()


class OpenMapped(LoadMapped):
    """The same, for files whose payloads are not to be read."""

    def check(self) -> dict[str, int]:
        if not all(tensor.raw_data_view.is_borrowed for tensor in self.model.graph.initializer):
            raise AssertionError("a payload was copied")
        return self.found(self.model)


@functools.cache
def loaded(package: ModuleType, path: str) -> Any:
    return package.load(path)


class SaveThreadsAgain(Repeated, Save):
    """All counts save one object: how its pages happen to lie makes a tenth of a difference."""

    arguments: ClassVar[dict[str, Any]] = {}

    def prepare(self) -> None:
        self.model = loaded(self.package, self.path)
        super().prepare()

    def act(self) -> None:
        for _ in range(self.times):
            Path(self.target).unlink(missing_ok=True)
            self.package.save(self.model, self.target, **self.arguments)


def threads(act: type[Act], count: int) -> type[Act]:
    """The same act by so many threads; -1: as many as pay."""
    return type(act.__name__, (act,), {"arguments": {"num_threads": count}})


class ToArray(Act):
    """The first initializer as an array, a hundred times if it is small."""

    reads_bytes = False

    def prepare(self) -> None:
        self.helper = importlib.import_module(f"{self.package.__name__}.numpy_helper")
        self.model = self.model or self.package.load(self.path)
        self.tensor = self.model.graph.initializer[0]
        self.times = 100 if self.tensor.ByteSize() < 1 << 21 else 1

    def act(self) -> None:
        for _ in range(self.times):
            self.array = self.helper.to_array(self.tensor)

    def check(self) -> dict[str, int]:
        return {"items": self.array.size, "bytes": self.array.nbytes, "sum": zlib.crc32(self.array)}

    def undo(self) -> None:
        del self.array


class FromArray(ToArray):
    """An array that nobody writes into as a tensor."""

    def prepare(self) -> None:
        super().prepare()
        self.array = self.helper.to_array(self.tensor)
        self.array.flags.writeable = False

    def act(self) -> None:
        for _ in range(self.times):
            self.made = self.helper.from_array(self.array, "w")

    def check(self) -> dict[str, int]:
        return super().check() | {"sum": zlib.crc32(self.made.raw_data)}

    def undo(self) -> None:
        del self.array, self.made


class DeepCopy(Act):
    reads_bytes = False

    def prepare(self) -> None:
        self.model = self.model or self.package.load(self.path)

    def act(self) -> None:
        self.copy = copy.deepcopy(self.model)

    def check(self) -> dict[str, int]:
        if self.copy is self.model or not self.copy == self.model:
            raise AssertionError("the copy differs")
        return self.found(self.copy)

    def undo(self) -> None:
        del self.copy


class Serialise(Act):
    def prepare(self) -> None:
        self.model = self.model or self.parsed()

    def act(self) -> None:
        self.out = self.model.SerializeToString()

    def check(self) -> dict[str, int]:
        if self.out != self.bytes:
            raise AssertionError("the model does not serialise to the bytes it came from")
        return self.found(self.model)

    def undo(self) -> None:
        del self.out


class Destroy(Act):
    """Nothing of the model is held: its last reference goes."""

    def prepare(self) -> None:
        self.model = self.parsed()
        self.known = self.found(self.model)

    def act(self) -> None:
        self.model = None

    def check(self) -> dict[str, int]:
        return self.known


class Equal(Act):
    def prepare(self) -> None:
        if self.model is None:
            self.model, self.other = self.parsed(), self.parsed()

    def act(self) -> None:
        self.equal = self.model == self.other

    def check(self) -> dict[str, int]:
        if self.equal is not True:
            raise AssertionError("two models from the same bytes are not equal")
        return self.found(self.model)


class WalkNames(Act):
    def prepare(self) -> None:
        self.model = self.model or self.parsed()

    def act(self) -> None:
        for node in self.model.graph.node:
            node.name

    def check(self) -> dict[str, int]:
        return self.found(self.model) | {"sum": checksum(node.name for node in self.model.graph.node)}


class WalkAll(WalkNames):
    def act(self) -> None:
        for node in self.model.graph.node:
            node.op_type
            for _ in node.input:
                pass
            for _ in node.output:
                pass
            for attribute in node.attribute:
                attribute.name

    def check(self) -> dict[str, int]:
        def strings() -> Any:
            for node in self.model.graph.node:
                yield node.op_type
                yield from node.input
                yield from node.output
                yield from (attribute.name for attribute in node.attribute)

        return self.found(self.model) | {"sum": checksum(strings())}


class Print(Act):
    """The model as text of one format, as bytes: what saving does before the bytes go to a file."""

    format: ClassVar[str]

    def prepare(self) -> None:
        self.model = self.model or self.parsed()

    def act(self) -> None:
        self.out = self.package.serialization.registry.get(self.format).serialize_proto(self.model)

    def check(self) -> dict[str, int]:
        return self.found(self.model) | {"sum": zlib.crc32(self.out)}

    def undo(self) -> None:
        del self.out


class Read(Act):
    """The text that `Print` makes of the model, read again."""

    format: ClassVar[str]

    def prepare(self) -> None:
        if not hasattr(self, "text"):
            self.text = self.package.serialization.registry.get(self.format).serialize_proto(self.parsed())
            warnings.simplefilter("ignore")  # onnx calls its syntax experimental

    def act(self) -> None:
        self.model = self.package.serialization.registry.get(self.format).deserialize_proto(self.text, self.package.ModelProto())

    def check(self) -> dict[str, int]:
        return self.found_same_bytes(self.model)

    def undo(self) -> None:
        self.model = None


class PrintText(Print):
    format = "textproto"


class ReadText(Read):
    format = "textproto"


class PrintJson(Print):
    format = "json"


class ReadJson(Read):
    format = "json"


class PrintSyntax(Print):
    format = "onnxtxt"

    def check(self) -> dict[str, int]:
        """Both print the same, but for the line in which we say that operators have no domain."""
        first = b"#@{domain: absent}\n"
        return self.found(self.model) | {"sum": zlib.crc32(self.out.removeprefix(first))}


class ReadSyntax(Read):
    format = "onnxtxt"

    def check(self) -> dict[str, int]:
        """onnx reads an empty domain where there was none."""
        names = (node.op_type + "".join(node.input) for node in self.model.graph.node)
        return self.found(self.model) | {"sum": checksum(names)}


class Str(Act):
    def prepare(self) -> None:
        self.model = self.model or self.parsed()

    def act(self) -> None:
        self.out = str(self.model)

    def check(self) -> dict[str, int]:
        return self.found(self.model) | {"sum": zlib.crc32(self.out.encode())}

    def undo(self) -> None:
        del self.out


class Build(Act):
    """A graph of 100,000 nodes by way of helper."""

    reads_bytes = False
    count: ClassVar[int] = 100_000

    def prepare(self) -> None:
        self.helper = importlib.import_module(f"{self.package.__name__}.helper")
        self.names = [f"layer.{at:08d}/val" for at in range(self.count + 1)]

    def act(self) -> None:
        make_node = self.helper.make_node
        nodes = [
            make_node("Conv", [before, "weights"], [after], name=after, group=1, strides=[2, 2])
            for before, after in zip(self.names, self.names[1:], strict=False)
        ]
        value = self.helper.make_tensor_value_info
        inputs, outputs = [value(self.names[0], 1, [2])], [value(self.names[-1], 1, [2])]
        opset = self.helper.make_opsetid("", 21)
        self.model = self.helper.make_model(self.helper.make_graph(nodes, "g", inputs, outputs), opset_imports=[opset], ir_version=10)

    def check(self) -> dict[str, int]:
        data = self.model.SerializeToString()
        return {"items": len(self.model.graph.node), "bytes": len(data), "sum": zlib.crc32(data)}

    def undo(self) -> None:
        self.model = None


class Chain(Act):
    """A model of 100,000 nodes in a row, whole and as two halves; the verbs that put models together and take parts out of them."""

    reads_bytes = False
    count: ClassVar[int] = 100_000

    def module(self, name: str) -> Any:
        return importlib.import_module(f"{self.package.__name__}.{name}")

    def chain(self, length: int) -> Any:
        helper = self.module("helper")
        nodes = [helper.make_node("Neg", [f"v{at}"], [f"v{at + 1}"], name=f"n{at}") for at in range(length)]
        inputs, outputs = ([helper.make_tensor_value_info(name, 1, [2])] for name in ("v0", f"v{length}"))
        graph = helper.make_graph(nodes, "chain", inputs, outputs)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)

    def check(self) -> dict[str, int]:
        graph = self.result.graph
        names = [graph.input[0].name, graph.output[0].name]
        for node in graph.node:
            names += [*node.input, *node.output, node.name]
        return {"items": len(graph.node), "bytes": 0, "sum": checksum(names)}

    def undo(self) -> None:
        self.result = None


class AddPrefix(Chain):
    def prepare(self) -> None:
        self.model = self.model or self.chain(self.count)

    def act(self) -> None:
        self.result = self.module("compose").add_prefix(self.model, "p/")


class Merge(Chain):
    def prepare(self) -> None:
        self.model = self.model or self.chain(self.count // 2)

    def act(self) -> None:
        io_map = [(f"v{self.count // 2}", "v0")]
        self.result = self.module("compose").merge_models(self.model, self.model, io_map, prefix1="a/", prefix2="b/")


class Extract(AddPrefix):
    def act(self) -> None:
        self.result = self.module("utils").Extractor(self.model).extract_model(["v0"], [f"v{self.count}"])


class Import(Act):
    """A new Python that imports the package and does nothing else."""

    reads_bytes = False

    def act(self) -> None:
        subprocess.run([sys.executable, "-P", "-c", f"import {self.package.__name__}"], check=True)

    def check(self) -> dict[str, int]:
        return {"items": 1, "bytes": 0}


def checksum(strings: Any) -> int:
    return zlib.crc32("\n".join(strings).encode())


ACTS: dict[str, type[Act]] = {
    "parse": Parse,
    "load": Load,
    "load_1_thread": threads(LoadThreads, 1),
    "load_2_threads": threads(LoadThreads, 2),
    "load_again_1_thread": threads(LoadThreadsAgain, 1),
    "load_again_2_threads": threads(LoadThreadsAgain, 2),
    "load_again_4_threads": threads(LoadThreadsAgain, 4),
    "load_again_any_threads": threads(LoadThreadsAgain, -1),
    "save_again_1_thread": threads(SaveThreadsAgain, 1),
    "save_again_2_threads": threads(SaveThreadsAgain, 2),
    "save_again_4_threads": threads(SaveThreadsAgain, 4),
    "save_again_any_threads": threads(SaveThreadsAgain, -1),
    "load_mapped": LoadMapped,
    "open_mapped": OpenMapped,
    "save": Save,
    "to_array": ToArray,
    "from_array": FromArray,
    "deepcopy": DeepCopy,
    "serialise": Serialise,
    "destroy": Destroy,
    "equal": Equal,
    "walk_names": WalkNames,
    "walk_all": WalkAll,
    "print_text": PrintText,
    "read_text": ReadText,
    "print_json": PrintJson,
    "read_json": ReadJson,
    "print_syntax": PrintSyntax,
    "read_syntax": ReadSyntax,
    "str": Str,
    "build": Build,
    "add_prefix": AddPrefix,
    "merge": Merge,
    "extract": Extract,
    "import": Import,
}
