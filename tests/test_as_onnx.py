"""The alias: `import onnx` means this library, in every form; each check runs in a process of its own."""

from __future__ import annotations

import importlib.util
import pickle
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import onnx_light
import onnx_light.onnx as onnxl


def python(code: str, *arguments: str, cwd: Path, flags: tuple[str, ...] = ("-W", "error")) -> str:
    done = subprocess.run([sys.executable, *flags, "-c", code, *arguments], capture_output=True, text=True, check=False, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def aliased(code: str, cwd: Path) -> str:
    return python("import onnx_light.as_onnx\n" + code, cwd=cwd)


def test_modules_are_one_object_under_both_names(tmp_path: Path) -> None:
    code = """
import onnx, onnx.helper, onnx_light.onnx
from onnx import numpy_helper
from onnx.onnx_cpp2py_export.checker import ValidationError
import onnx.onnx_ml_pb2 as pb
assert onnx is onnx_light.onnx and onnx.helper is onnx_light.onnx.helper
assert numpy_helper is onnx_light.onnx.numpy_helper and ValidationError is onnx.checker.ValidationError
assert pb.ModelProto is onnx.ModelProto and onnx.onnx_pb.NodeProto is onnx.NodeProto
print(onnx.__version__)
"""
    assert aliased(code, tmp_path).startswith("1.23.")


def test_every_module_of_the_package_is_found_under_the_alias(tmp_path: Path) -> None:
    code = """
import importlib, importlib.util, pkgutil, sys, warnings
import onnx, onnx_light.onnx
warnings.simplefilter("ignore")
names = [info.name for info in pkgutil.walk_packages(onnx.__path__, "onnx.")]
for name in names:
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.origin, name
    assert importlib.import_module(name) is sys.modules["onnx_light." + name], name
print(len(names))
"""
    assert int(aliased(code, tmp_path)) > 40


def test_classes_say_that_they_are_of_onnx(tmp_path: Path) -> None:
    code = "import onnx\nprint(onnx.ModelProto, onnx.MapProto, onnx.OperatorSetProto, onnx.TypeProto.Tensor.__module__)"
    expected = "<class 'onnx.onnx_ml_pb2.ModelProto'> <class 'onnx.onnx_data_pb2.MapProto'>"
    assert aliased(code, tmp_path) == f"{expected} <class 'onnx.onnx_operators_ml_pb2.OperatorSetProto'> onnx.onnx_ml_pb2"


def test_without_the_alias_the_package_says_that_it_is_itself(tmp_path: Path) -> None:
    code = "import onnx_light, onnx_light.onnx as o\nprint(o.__version__ == onnx_light.__version__, o.ModelProto.__module__)"
    assert python(code, cwd=tmp_path) == "True onnx_light.onnx"


def test_reload_keeps_the_module_and_its_version(tmp_path: Path) -> None:
    code = """
import importlib, onnx, onnx.compose
first, part = onnx, onnx.compose
assert importlib.reload(onnx) is first and importlib.reload(onnx.compose) is part
print(onnx.__version__)
"""
    assert aliased(code, tmp_path).startswith("1.23.")


def test_what_does_not_exist_is_missing_under_the_alias_too(tmp_path: Path) -> None:
    code = """
import importlib.util
try:
    import onnx.no_such_module
except ModuleNotFoundError as error:
    print(error.name, importlib.util.find_spec("onnx.no_such_module"))
"""
    assert aliased(code, tmp_path) == "onnx.no_such_module None"


def test_another_onnx_that_is_imported_already_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "onnx.py").write_text("", encoding="utf-8")
    code = """
import sys
sys.path.insert(0, ".")
import onnx
try:
    import onnx_light.as_onnx
except ImportError as error:
    print(error)
"""
    assert "onnx.py" in python(code, cwd=tmp_path)


def test_messages_go_between_aliased_and_plain_processes_as_pickles(tmp_path: Path) -> None:
    node = onnxl.NodeProto(op_type="Relu", input=["x"])
    (tmp_path / "plain").write_bytes(pickle.dumps(node))
    code = """
import pickle
from pathlib import Path
import onnx
node = pickle.loads(Path("plain").read_bytes())
assert type(node) is onnx.NodeProto and node.op_type == "Relu"
for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
    Path(f"aliased{protocol}").write_bytes(pickle.dumps(node, protocol))
Path("function").write_bytes(pickle.dumps(onnx.helper.make_node))
"""
    aliased(code, tmp_path)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads((tmp_path / f"aliased{protocol}").read_bytes()) == node
    assert pickle.loads((tmp_path / "function").read_bytes()) is onnxl.helper.make_node


def test_pytest_takes_the_alias_as_a_plugin(tmp_path: Path) -> None:
    test = "import onnx, sys\n\ndef test_it():\n    assert onnx is sys.modules['onnx_light.onnx']\n"
    (tmp_path / "test_alias.py").write_text(test, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "onnx_light.as_onnx", "-p", "no:cacheprovider", "test_alias.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout


def test_modules_run_as_programs_under_the_alias(tmp_path: Path) -> None:
    code = """
import runpy, sys
sys.argv = ["check-model", "--help"]
try:
    runpy.run_module("onnx.bin.checker", run_name="__main__", alter_sys=True)
except SystemExit as done:
    print("exit", done.code)
"""
    assert aliased(code, tmp_path).endswith("exit 0")


@pytest.fixture
def private_python(tmp_path: Path) -> Path:
    """A virtual environment whose packages are those of this one, and whose own folder may be written to."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "env"], check=True)
    python = tmp_path / "env" / "bin" / "python"
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    own = Path(subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True).stdout.strip())
    packages = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True).stdout.strip()
    (own / "packages.pth").write_text(packages + "\n", encoding="utf-8")
    return python


def test_enable_status_and_disable_write_and_remove_one_file(private_python: Path, tmp_path: Path) -> None:
    def run(*arguments: str) -> str:
        done = subprocess.run([private_python, "-W", "error", *arguments], capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    which = ("-c", "import onnx; print(onnx.__name__)")
    assert run(*which).strip() == "onnx"
    assert "disabled" in run("-m", "onnx_light.as_onnx", "status")
    assert "enabled" in run("-m", "onnx_light.as_onnx", "enable")
    assert run(*which).strip() == "onnx_light.onnx"
    assert "enabled" in run("-m", "onnx_light.as_onnx", "status")
    assert "show this help" in run("-m", "onnx.bin.checker", "--help")
    assert "disabled" in run("-m", "onnx_light.as_onnx", "disable")
    assert run(*which).strip() == "onnx"


def test_an_alias_that_cannot_be_written_down_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any) -> None:
    monkeypatch.setitem(sys.modules, "onnx_light.as_onnx", ModuleType("onnx_light.as_onnx"))  # the alias itself stays away
    spec = importlib.util.spec_from_file_location("as_onnx_main", Path(onnx_light.__path__[0], "as_onnx", "__main__.py"))
    assert spec is not None and spec.loader is not None
    command = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(command)
    (tmp_path / "file").touch()
    monkeypatch.setattr(command, "pth_file", lambda: tmp_path / "file" / "alias.pth")  # as good as read-only, also for root
    for verb in ("enable", "disable"):
        assert command.main([verb]) == 1
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert "alias.pth: Not a directory" in error


def test_the_enabled_alias_loads_nothing_heavy_at_the_start(tmp_path: Path) -> None:
    code = (
        "import sys, onnx_light.as_onnx\nprint([m for m in ('numpy', 'onnx_light.onnx', 'onnx_light.onnx_py._onnxpy') if m in sys.modules])"
    )
    assert python(code, cwd=tmp_path) == "[]"


# ---- stand-ins for protobuf, in a process whose path has neither protobuf nor onnx

NO_PROTOBUF = """
import importlib.machinery, sys
def without(name, path=None, target=None, find=importlib.machinery.PathFinder.find_spec):
    return None if name == "google" or name.startswith("google.") else find(name, path, target)
importlib.machinery.PathFinder.find_spec = without
"""


def without_protobuf(code: str, cwd: Path) -> str:
    return python(NO_PROTOBUF + code, cwd=cwd)


def test_stand_ins_serve_what_users_of_onnx_import_from_protobuf(tmp_path: Path) -> None:
    code = """
import onnx_light.as_onnx, onnx
import google.protobuf.message
from google.protobuf import json_format, text_format
from google.protobuf.internal.containers import RepeatedCompositeFieldContainer, RepeatedScalarFieldContainer
node = onnx.NodeProto(op_type="A", input=["x"])
assert isinstance(node, google.protobuf.message.Message) and not isinstance(3, google.protobuf.message.Message)
assert isinstance(node.attribute, RepeatedCompositeFieldContainer) and isinstance(node.input, RepeatedScalarFieldContainer)
assert text_format.Parse(text_format.MessageToString(node), onnx.NodeProto()) == node
assert text_format.MessageToString(node, indent=2, as_one_line=False).startswith("  input")
assert json_format.Parse(json_format.MessageToJson(node), onnx.NodeProto()) == node
assert json_format.ParseDict(json_format.MessageToDict(node), onnx.NodeProto()) == node
assert text_format.MessageToBytes(node) == text_format.MessageToString(node).encode()
for wrong, error in (
    (lambda: onnx.NodeProto.FromString(b"\\x0a\\xff"), google.protobuf.message.DecodeError),
    (lambda: text_format.Parse("nix: 1", onnx.NodeProto()), text_format.ParseError),
    (lambda: json_format.Parse("{", onnx.NodeProto()), json_format.ParseError),
):
    try:
        wrong()
    except error as caught:
        assert isinstance(caught, onnx.DecodeError)
    else:
        raise SystemExit("no error")
try:
    text_format.Parse("name: 'a'\\n nix: 1", onnx.NodeProto())
except text_format.ParseError as caught:
    print(caught.GetLine(), caught.GetColumn())
"""
    assert without_protobuf(code, tmp_path) == "2 2"


def test_what_else_protobuf_has_stays_missing(tmp_path: Path) -> None:
    code = """
import onnx_light.as_onnx
for name in ("descriptor", "descriptor_pool", "internal.builder"):
    try:
        __import__("google.protobuf." + name)
    except ModuleNotFoundError:
        print(name, "missing")
"""
    assert without_protobuf(code, tmp_path).count("missing") == 3


def test_stand_ins_are_not_there_without_the_alias(tmp_path: Path) -> None:
    code = """
import onnx_light.onnx
try:
    import google.protobuf.message
except ModuleNotFoundError:
    print("missing")
"""
    assert without_protobuf(code, tmp_path) == "missing"


def test_an_installed_protobuf_is_found_before_the_stand_ins(tmp_path: Path) -> None:
    code = "import onnx_light.as_onnx\nimport google.protobuf.text_format as t, google.protobuf.message as m\nprint(t.__name__, m.__name__)"
    assert python(code, cwd=tmp_path) == "google.protobuf.text_format google.protobuf.message"
