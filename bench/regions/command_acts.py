"""The acts of the command `onnx-light`, which no peer has: its start, and what it does with large models."""

import atexit
import contextlib
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from regions.python_acts import Act


class Command(Act):
    """A process of the command, from its start to its end."""

    reads_bytes = False
    words: ClassVar[tuple[str, ...]] = ()

    def act(self) -> None:
        command = [str(Path(sys.executable).with_name("onnx-light")), *self.words]
        self.out = subprocess.run([self.path if word == "MODEL" else word for word in command], check=True, capture_output=True).stdout

    def check(self) -> dict[str, int]:
        if not self.out:
            raise AssertionError("the command printed nothing")
        return {"items": 1, "bytes": 0}


class Inspect(Command):
    words = ("inspect", "MODEL")


class Help(Command):
    words = ("--help",)


class Diff(Act):
    """`onnx-light diff` in this process, against a copy that differs as a class below says and goes with the process."""

    reads_bytes = False
    code: ClassVar[int] = 1

    def __init__(self, package: ModuleType, path: str) -> None:
        super().__init__(package, path)
        self.other = f"{path}.{type(self).__name__}.{os.getpid()}.onnx"
        atexit.register(Path(self.other).unlink, missing_ok=True)
        model = package.load(path)
        self.change(model)
        package.save(model, self.other)

    def change(self, model: Any) -> None: ...

    def act(self) -> None:
        from onnx_light.cli import main

        with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
            self.answer = main(["diff", self.path, self.other])

    def check(self) -> dict[str, int]:
        if self.answer != self.code:
            raise AssertionError(f"the answer is {self.answer}, not {self.code}")
        return {"items": 1, "bytes": Path(self.path).stat().st_size}


class DiffNone(Diff):
    code = 0


class DiffSome(Diff):
    """A node in a hundred has another attribute, one in a thousand is new, and a weight in ten has other elements."""

    def change(self, model: Any) -> None:
        nodes = list(model.graph.node)
        for i, node in enumerate(nodes):
            if i % 100 == 0:
                node.attribute[0].i += 1
        for i in range(0, len(nodes), 1000):
            new = self.package.NodeProto(op_type="Identity", name=f"new.{i}")
            new.input.append(nodes[i].output[0])
            new.output.append(f"new.{i}")
            model.graph.node.append(new)
        for i, tensor in enumerate(model.graph.initializer):
            if i % 10 == 0:
                tensor.raw_data = bytes(len(tensor.raw_data))


class DiffNames(Diff):
    """Every value and node is called otherwise."""

    def change(self, model: Any) -> None:
        for node in model.graph.node:
            node.name = "/" + node.name
            for side in (node.input, node.output):
                side[:] = [name.replace("layer.", "onnx::") for name in side]
        for named in (*model.graph.initializer, *model.graph.input, *model.graph.output):
            named.name = named.name.replace("layer.", "onnx::")


ACTS: dict[str, type[Act]] = {
    "command_inspect": Inspect,
    "command_help": Help,
    "diff_none": DiffNone,
    "diff_some": DiffSome,
    "diff_names": DiffNames,
}
