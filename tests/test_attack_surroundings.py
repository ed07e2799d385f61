"""The world around a save: locale, mask, a folder that is gone or read-only, a disk that is nearly full. An error of the system, the old
file in its place, and nothing left behind; or the same result as anywhere."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

import onnx_light.onnx as onnxl

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a POSIX system")

PRELUDE = """
import errno, os, pathlib, resource, signal, sys
import numpy as np
import onnx_light.onnx as onnxl
from onnx_light.cli.main import main

def model(size=200_000, producer="new"):
    made = onnxl.ModelProto(ir_version=10, producer_name=producer)
    made.opset_import.add(domain="", version=21)
    made.graph.name = "g"
    for name in ("w", "v"):
        made.graph.initializer.add(name=name, data_type=2, dims=[size], raw_data=np.random.default_rng(1).bytes(size))
    node = made.graph.node.add(op_type="Scale", input=["w"], output=["y"])
    node.attribute.add(name="factor", type=1, f=1.5)
    made.graph.output.add(name="y").type.tensor_type.elem_type = 2
    return made

SAVES = {
    "m.onnx": lambda made, path: onnxl.save(made, path),
    "e.onnx": lambda made, path: onnxl.save(made, path, save_as_external_data=True),
    "split.onnx": lambda made, path: onnxl.save(made, path, save_as_external_data=True, max_external_file_size=200_000),
    "each.onnx": lambda made, path: onnxl.save(made, path, save_as_external_data=True, all_tensors_to_one_file=False),
    "durable.onnx": lambda made, path: onnxl.save(made, path, save_as_external_data=True, durable=True, checksum=True),
    "m.textproto": lambda made, path: onnxl.save(made, path),
    "m.json": lambda made, path: onnxl.save(made, path),
    "m.onnxtxt": lambda made, path: onnxl.save(made, path),
    "te.textproto": lambda made, path: onnxl.save(made, path, save_as_external_data=True),
    "cbc.onnxc": lambda made, path: onnxl.save_encrypted(made, path, key="k"),
    "gcm.onnxc": lambda made, path: onnxl.save_encrypted(made, path, key="k", encryption="AES-256-GCM", kdf_iterations=1000),
    "s.onnx": lambda made, path: made.SerializeToFile(path),
}
LOADS = {".onnxc": lambda path: onnxl.load_encrypted(path, key="k")}

def contents():
    return {path.name: path.read_bytes() for path in pathlib.Path(".").iterdir()}

def targets(name):
    # Files that are named after tensors would be those of the other model.
    return (name,) if name == "each.onnx" else (name, "new_" + name)

def load(path):
    return LOADS.get(os.path.splitext(path)[1], onnxl.load)(path)
"""


def run(program: str, folder: Path, **environment: str) -> str:
    command = [sys.executable, "-W", "error", "-c", PRELUDE + textwrap.dedent(program)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


# ---- locale


def german(folder: Path) -> str:
    """A locale whose decimal point is a comma, made where the system has none."""
    made = subprocess.run(
        ["localedef", "-i", "de_DE", "-f", "UTF-8", str(folder / "de_DE.UTF-8")],
        capture_output=True,
        check=False,
        env={**os.environ, "LC_ALL": "C"},
    )
    if not (folder / "de_DE.UTF-8").exists():
        pytest.skip(f"no localedef, or no sources of locales: {made.stderr.decode()}")
    return "de_DE.UTF-8"


def test_a_comma_for_a_decimal_point_changes_nothing(tmp_path: Path) -> None:
    program = """
        import locale
        locale.setlocale(locale.LC_ALL, "")
        if "german" in os.environ:
            assert locale.localeconv()["decimal_point"] == ","
        from onnx_light.onnx_py._onnxpy import text
        node = onnxl.NodeProto(op_type="A", attribute=[
            {"name": "a", "type": 1, "f": 1.5}, {"name": "b", "type": 6, "floats": [0.1, 1e-45, 1234567.5, 3.4e38]},
            {"name": "t", "type": 4, "t": {"data_type": 11, "dims": [2], "double_data": [0.1, 1e300]}},
        ])
        for to, back in ((text.to_text_format, text.from_text_format), (text.to_json, text.from_json), (text.to_syntax, text.from_syntax)):
            shown = to(node)
            assert "1.5" in shown and "1,5" not in shown, shown
            assert back(shown, onnxl.NodeProto()) == node
        print(str(node), text.to_json(node), text.to_syntax(node))
    """
    plain = run(program, tmp_path, LC_ALL="C")
    name = german(tmp_path)
    assert run(program, tmp_path, LC_ALL=name, LOCPATH=str(tmp_path), german="1") == plain


@pytest.mark.parametrize(
    "environment", [{"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"LC_ALL": "xx_XX"}]
)
def test_names_of_files_and_values_do_not_depend_on_the_locale(tmp_path: Path, environment: dict[str, str]) -> None:
    program = """
        made = model(100)
        made.graph.name = name_of_graph = "\\u6f22\\u5b57 \\xe9"
        os.mkdir("ordner")
        for name, save in SAVES.items():
            path = os.path.join("ordner", os.fsdecode("modell_\\xe9_".encode()) + name)
            save(made, path)
            assert load(path).graph.name == name_of_graph
        sys.stdout.reconfigure(encoding="utf-8")
        for path in sorted(os.listdir(b"ordner")):
            if path.endswith(b".onnx"):
                assert main(["inspect", os.path.join("ordner", os.fsdecode(path))]) == 0
    """
    out = run(program, tmp_path, **environment)
    assert out.count("漢字 é") == 6
    assert "modell_é_m.onnx" in {path.name for path in (tmp_path / "ordner").iterdir()}


# ---- mask, folder


def test_every_save_obeys_the_mask_and_keeps_the_mode_of_a_file_that_is_there(tmp_path: Path) -> None:
    program = """
        made = model(2000)
        for mask, mode in ((0o077, 0o600), (0o027, 0o640), (0o000, 0o666), (0o777, 0)):
            folder = f"{mask:o}"
            os.mkdir(folder)
            os.umask(mask)
            for name, save in SAVES.items():
                save(made, os.path.join(folder, name))
            for name in os.listdir(folder):
                assert os.stat(os.path.join(folder, name)).st_mode & 0o777 == mode, (name, mask)
            os.umask(0o022)
            for name in SAVES:
                os.chmod(os.path.join(folder, name), 0o604)
            for name, save in SAVES.items():
                save(made, os.path.join(folder, name))
                assert os.stat(os.path.join(folder, name)).st_mode & 0o777 == 0o604, name
    """
    run(program, tmp_path)


def test_where_the_current_folder_is_gone_absolute_paths_work_and_others_are_errors(tmp_path: Path) -> None:
    program = """
        home = os.getcwd()
        os.mkdir("gone")
        os.chdir("gone")
        os.rmdir(os.path.join(home, "gone"))
        made = model(2000)
        for name, save in SAVES.items():
            path = os.path.join(home, name)
            save(made, path)
            assert load(path).producer_name == "new"
            for act in (lambda: save(made, name), lambda: save(made, os.path.join("..", "gone", name)), lambda: load(name)):
                try:
                    act()
                except OSError as error:
                    assert error.errno == errno.ENOENT, error
                else:
                    raise AssertionError(name)
        path = os.path.join(home, "m.onnx")
        for words in (["inspect", path], ["verify", path], ["hash", path], ["convert", path, os.path.join(home, "c.onnx"), "--external"],
                      ["strip", path, "--docs", "-o", os.path.join(home, "d.onnx")]):
            assert main(words) == 0, words
        assert main(["inspect", "m.onnx"]) == 2
        assert main(["convert", path, "c.onnx"]) == 2
    """
    run(program, tmp_path)


def test_a_folder_that_may_not_be_written_is_an_error_and_stays_as_it_was() -> None:
    program = """
        made = model(2000)
        for name, save in SAVES.items():
            save(model(2000, "old"), name)
        import locale  # whatever is imported later has to be there: the other user may not be let to where Python is
        assert main(["convert", "m.onnx", "c.onnx"]) == main(["strip", "c.onnx", "--docs", "--inplace"]) == 0
        assert main(["inspect", "none.onnx"]) == 2
        os.unlink("c.onnx")
        before = contents()
        os.chmod(".", 0o555)
        if os.geteuid() == 0:  # whom no mode stops
            os.setegid(65534)
            os.seteuid(65534)
        try:
            for name, save in SAVES.items():
                for target in targets(name):
                    try:
                        save(made, target)
                    except OSError as error:
                        assert error.errno in (errno.EACCES, errno.EPERM, errno.EROFS), error
                        assert error.filename is None or target.split(".")[0] in str(error.filename), error
                    else:
                        raise AssertionError(target)
                assert load(name).producer_name == "old"
            assert main(["convert", "m.onnx", "c.onnx"]) == 2
            assert main(["strip", "m.onnx", "--docs", "--inplace"]) == 2
        finally:
            if os.getuid() == 0:
                os.seteuid(0)
            os.chmod(".", 0o755)
        assert contents() == before
    """
    with tempfile.TemporaryDirectory() as folder:  # where another user gets, unlike the tests' own
        Path(folder).chmod(0o755)
        run(program, Path(folder))


# ---- no room


def test_a_limit_on_the_size_of_files_is_an_error_and_the_old_files_stay(tmp_path: Path) -> None:
    program = """
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        made = model()
        for name, save in SAVES.items():
            save(model(2000, "old"), name)
        before = contents()
        for most in (0, 1, 100, 50_000, 150_000):
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
            for name, save in SAVES.items():
                for target in targets(name):
                    try:
                        save(made, target)
                    except OSError as error:
                        assert error.errno == errno.EFBIG, (name, most, error)
                    else:
                        raise AssertionError((target, most))
                    assert sorted(os.listdir(".")) == sorted(before), (name, most, set(os.listdir(".")) - set(before))
            sys.stderr.flush()
            assert main(["convert", "m.onnx", "c.onnx", "--external"]) == 2 if most < 2000 else True
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            for name in ("c.onnx", "c.onnx.data"):
                if os.path.exists(name):
                    os.unlink(name)
        assert contents() == before
        for name in SAVES:
            assert load(name).producer_name == "old"
    """
    run(program, tmp_path)


def test_helpers_that_write_one_tensor_at_a_time_fail_as_well_where_there_is_no_room(tmp_path: Path) -> None:
    program = """
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        made = model()
        tensor = made.graph.initializer[0]
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
        acts = {
            "save_tensor": lambda: onnxl.save_tensor(tensor, "t.pb"),
            "save_tensor text": lambda: onnxl.save_tensor(tensor, "t.textproto"),
            "bytes": lambda: onnxl.save(made.SerializeToString(), "b.onnx"),
        }
        for name, act in acts.items():
            try:
                act()
            except OSError as error:
                assert error.errno == errno.EFBIG, (name, error)
            else:
                raise AssertionError(name)
        assert [name for name in os.listdir(".") if name.startswith(".")] == []
    """
    run(program, tmp_path)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "none", str(disk)], capture_output=True, check=False)
    if mounted.returncode != 0:
        pytest.skip(f"no file system may be mounted here: {mounted.stderr.decode().strip()}")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_disk_without_room_is_an_error_and_the_old_files_stay(disk: Path) -> None:
    program = """
        made = model()
        for name, save in SAVES.items():
            save(model(2000, "old"), name)
        before = contents()
        for name, save in SAVES.items():
            for target in targets(name):
                try:
                    save(made, target)
                except OSError as error:
                    assert error.errno == errno.ENOSPC, (name, error)
                else:
                    raise AssertionError(target)
                assert contents() == before, target
    """
    run(program, disk)


# From here on the kernel answers each fsync of the process with EIO, as for a disk that breaks (a filter of classic BPF).
BREAK_THE_DISK = """
    import ctypes, struct
    fsync = {"x86_64": 74, "aarch64": 82}[os.uname().machine]
    filters = [(0x20, 0, 0, 0), (0x15, 0, 1, fsync), (0x06, 0, 0, 0x00050000 | errno.EIO), (0x06, 0, 0, 0x7FFF0000)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *each) for each in filters))
    program = struct.pack("HxxxxxxQ", len(filters), ctypes.addressof(code))
    prctl = ctypes.CDLL(None).prctl
    if prctl(38, 1, 0, 0, 0) != 0 or prctl(22, 2, ctypes.c_char_p(program), 0, 0) != 0:
        print("no filters here")
        sys.exit()
"""


@pytest.mark.skipif(sys.platform != "linux" or os.uname().machine not in ("x86_64", "aarch64"), reason="the number of fsync is needed")
def test_a_durable_save_waits_for_the_disk_in_every_format(tmp_path: Path) -> None:
    prepare = """
        names = [name for name in SAVES if not name.endswith(".onnxc")]
        for name in names:
            SAVES[name](model(2000, "old"), name)
        before = contents()
    """
    program = """
        for name in names:
            for outside in (False, True):
                try:
                    onnxl.save(model(), name, durable=True, save_as_external_data=outside)
                except OSError as error:
                    assert error.errno == errno.EIO, (name, error)
                else:
                    raise AssertionError((name, outside))
                assert contents() == before, name
        onnxl.save(model(), "m.json")
    """
    if "no filters here" in run("".join(map(textwrap.dedent, (prepare, BREAK_THE_DISK, program))), tmp_path):
        pytest.skip("the kernel takes no filters")


def test_a_read_only_disk_is_an_error_for_savers_and_none_for_loaders(disk: Path) -> None:
    write = """
        for name, save in SAVES.items():
            save(model(2000, "old"), name)
    """
    program = """
        before = contents()
        for name, save in SAVES.items():
            for target in targets(name):
                try:
                    save(model(), target)
                except OSError as error:
                    assert error.errno == errno.EROFS, (name, error)
                else:
                    raise AssertionError(target)
            assert load(name).producer_name == "old"
        for mode in (onnxl.FileLoadMode.MMAP, onnxl.FileLoadMode.IFSTREAM):
            assert onnxl.load("e.onnx", file_load_mode=mode, no_copy=True).producer_name == "old"
        assert main(["inspect", "m.onnx"]) == 0
        assert main(["strip", "m.onnx", "--docs", "--inplace"]) == 2
        assert contents() == before
    """
    run(write, disk)
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    run(program, disk)


def test_a_full_device_is_an_error() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    model = onnxl.ModelProto(ir_version=10, graph={"name": "g"})
    for act in (
        lambda: onnxl.save(model, "/dev/full"),
        lambda: onnxl.save(model, "/dev/full", format="textproto"),
        lambda: onnxl.save_encrypted(model, "/dev/full", key="k", encryption="AES-256-GCM", kdf_iterations=1000),
    ):
        with pytest.raises(OSError, match="No space"):
            act()
