"""Writes the first inputs of the fuzz targets: python fuzz/seeds.py <folder>

Real messages come from the collection that $ONNX_LIGHT_MODELS names (small ones; without it there are none), made ones from here.
Each target gets a folder of its own below <folder>, in the form that its file describes.
"""

import csv
import hashlib
import os
import pathlib
import re
import sys

DATA = pathlib.Path(__file__).resolve().parent.parent / "tests" / "data"
MESSAGES = pathlib.Path(__file__).resolve().parent.parent / "onnx_light" / "onnx_proto" / "messages"
# The types with an ONNX syntax, in the order of fuzz/onnx_syntax.cc.
SYNTAX_TYPES = ["ModelProto", "GraphProto", "FunctionProto", "NodeProto", "AttributeProto", "TypeProto", "TensorProto", "ValueInfoProto"]
LARGEST = 16 << 10  # bytes of a real file: larger ones only slow the search down


def message_types() -> list[str]:
    """The message types in the order of onnx.h, which the targets' first byte counts in."""
    names = []
    for room in ("basic", "tensor", "type", "device", "graph", "model", "data", "operators"):
        text = (MESSAGES / f"{room}.h").read_text(encoding="utf-8").replace("\\\n", " ")
        names += re.findall(r"DO\((\w+)\)", re.search(r"#define ONNX_LIGHT_\w+_MESSAGES\(DO\)(.*)", text).group(1))
    return names


def varint(value: int) -> bytes:
    """`value` in seven bits a byte, as the wire format has it."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def tag(number: int, wire: int) -> bytes:
    """The tag before a field."""
    return varint(number << 3 | wire)


def sized(number: int, *contents: bytes) -> bytes:
    """A length-delimited field."""
    whole = b"".join(contents)
    return tag(number, 2) + varint(len(whole)) + whole


def nested(numbers: list[int], levels: int) -> bytes:
    """Messages in messages: `numbers` are taken in turn, innermost first."""
    inside = b""
    for level in range(levels):
        inside = sized(numbers[level % len(numbers)], inside)
    return inside


def made() -> list[tuple[str, bytes]]:
    """Small messages with one of each kind of field and of each oddity, as (type, bytes)."""
    unknown = tag(100, 0) + varint(5) + tag(101, 1) + b"8 bytes " + tag(102, 5) + b"4by " + sized(103, b"text")
    group = tag(104, 3) + tag(1, 0) + b"\x01" + tag(2, 3) + tag(2, 4) + tag(104, 4)
    node = (
        sized(1, b"x") + sized(1, b"") + sized(2, b"y") + sized(3, b"name") + sized(4, b"Relu") + sized(7, b"") + sized(9, sized(1, b"k"))
    )
    tensor = (
        tag(1, 0)
        + varint(2)
        + sized(1, varint(3) + varint(300))
        + tag(2, 0)
        + varint(1)
        + sized(4, b"\0\0\x80\x3f" * 3)
        + sized(5, varint(-1) + varint(7))
        + sized(6, b"s")
        + sized(7, varint(-1))
        + sized(8, b"w")
        + sized(9, bytes(64))
        + sized(10, bytes(8))
        + sized(11, varint(1 << 63))
        + sized(13, sized(1, b"location") + sized(2, b"f.bin"))
        + tag(14, 0)
        + varint(1)
    )
    attribute = sized(1, b"a") + tag(2, 5) + bytes(4) + tag(3, 0) + varint(-5) + sized(4, b"s") + sized(7, bytes(8)) + tag(8, 0) + b"\x07"
    attribute += sized(5, tensor) + sized(13, b"doc") + tag(20, 0) + b"\x0f" + sized(21, b"ref")
    graph = sized(1, node) + sized(1, node, sized(5, attribute)) + sized(2, b"g") + sized(5, tensor) + sized(15, sized(1, tensor))
    graph += sized(
        11, sized(1, b"x") + sized(2, sized(1, tag(1, 0) + b"\x01" + sized(2, sized(1, tag(1, 0) + b"\x03") + sized(1, sized(2, b"N")))))
    )
    model = tag(1, 0) + varint(10) + sized(7, graph) + sized(7, sized(10, b"merged")) + sized(8, sized(1, b""), tag(2, 0), b"\x15")
    model += sized(14, sized(1, b"k"), sized(2, b"v")) + sized(25, sized(1, b"f") + sized(7, node) + sized(9, tag(2, 0), b"\x15"))
    return [
        ("NodeProto", node), ("NodeProto", node + unknown), ("NodeProto", tag(4, 0) + b"\x07" + sized(5, unknown, group)),
        ("TensorProto", tensor), ("TensorProto", tensor + tensor), ("TensorProto", sized(9, bytes(5000))),
        ("AttributeProto", attribute), ("AttributeProto", attribute + group), ("AttributeProto", nested([6, 5, 1], 60)),
        ("GraphProto", graph), ("ModelProto", model), ("ModelProto", model + unknown + group + model),
        ("TypeProto", sized(1, tag(1, 0) + b"\x01") + sized(4, b"")), ("TypeProto", nested([1, 4], 396)), ("TypeProto", nested([1, 9], 402)),
        ("TypeProto", sized(5, tag(1, 0) + b"\x07" + sized(2, sized(1, tag(1, 0) + b"\x01")))),
        ("SequenceProto", sized(1, b"s") + tag(2, 0) + b"\x01" + sized(3, tensor) + sized(5, sized(6, sized(5, b"")))),
        ("OperatorSetProto", sized(1, b"ONNXOPSET") + sized(8, sized(1, b"Op") + tag(3, 0) + b"\x01") + sized(9, sized(7, node))),
        ("FunctionProto", sized(1, b"f") + sized(11, attribute) + sized(7, node) + sized(4, b"x") + sized(4, b"y")),
        ("SparseTensorProto", sized(1, tensor) + sized(2, tensor) + tag(3, 0) + b"\x09"),
        ("NodeDeviceConfigurationProto", sized(2, sized(1, b"t") + sized(4, sized(2, tag(1, 0) + b"\x02")) + sized(3, tag(1, 0) + b"\x01"))),
        ("TensorProto_Segment", unknown), ("TensorProto_Segment", group + unknown + group),
    ]  # fmt: skip


def real() -> list[tuple[str, bytes]]:
    """The small files of the collection."""
    folder = os.environ.get("ONNX_LIGHT_MODELS")
    if not folder:
        return []
    found = []
    with (pathlib.Path(folder) / "manifest.csv").open(newline="", encoding="utf-8") as manifest:
        for row in csv.DictReader(manifest):
            path = pathlib.Path(folder) / row["file"]
            if row["message"] in message_types() and int(row["bytes"]) <= LARGEST and path.is_file():
                found.append((row["message"], path.read_bytes()))
    return found


def texts(table: str) -> list[tuple[str, bytes]]:
    """The texts of a table in tests/data, as (type, text)."""
    rows = [line.split("\t") for line in (DATA / table).read_text(encoding="utf-8").split("\n") if line and not line.startswith("#")]
    return [(row[0].replace(".", "_"), row[1].encode()) for row in rows]


def reference(
    location: str, offset: int | str | None, length: int | str | None, dims: list[int], data_type: int = 2, name: str = "w"
) -> bytes:
    """A tensor whose bytes lie in another file."""
    keys = (("location", location), ("offset", offset), ("length", length), ("checksum", "0" * 40 if name == "sum" else None))
    entries = [sized(13, sized(1, key.encode()), sized(2, str(value).encode())) for key, value in keys if value is not None]
    return (
        sized(1, *(varint(dim) for dim in dims))
        + tag(2, 0)
        + varint(data_type)
        + sized(8, name.encode())
        + b"".join(entries)
        + tag(14, 0)
        + b"\1"
    )


def two_files() -> list[bytes]:
    """Models and weights for fuzz/two_files.cc, behind its four bytes."""
    weights = bytes(range(256)) * 2
    good = [reference("w", at, 64, [64], name=f"w{at}") for at in (0, 64, 448)] + [reference("sub/v", 3, 8, [2, 4], 3)]
    typed = sized(1, varint(3)) + tag(2, 0) + b"\1" + sized(4, bytes(12)) + sized(8, b"typed")
    inline = sized(1, varint(40)) + tag(2, 0) + b"\2" + sized(8, b"raw") + sized(9, bytes(40))
    hostile = [
        reference(location, 0, 4, [4])
        for location in (
            *("../outside", "/etc/passwd", "outer", "hard", "pipe", "folder", "parent/outside", "sub/up/../outside", "inner", "m"),
            *("sub/../w", "./w", "sub//v", "parent/model/w", "", ".", "..", "w/", "w\\v", "no", "\u202ew", "w" * 300),
        )
    ]
    numbers = (0, "", " 5 ", "+4", "-1", 2**63 - 1, 2**63, 2**64, "9" * 40, "0x10", "4e1", 511, 512, 513)
    hostile += [reference("w", offset, 4, [4]) for offset in numbers] + [reference("w", 0, length, [4]) for length in numbers]
    hostile += [
        reference("w", 0, None, dims, kind) for dims in ([2**62, 4], [-1], [0], [], [2**32, 2**32]) for kind in (0, 1, 2, 8, 22, 99)
    ]
    hostile += [reference("w", 0, 4, [4], name=name) for name in ("sum", "../../x", "a\0b", "con.txt", "." * 40, "n" * 400)]
    models = [sized(7, *(sized(5, tensor) for tensor in [*good, typed, inline]))] + [sized(7, sized(5, tensor)) for tensor in hostile]
    models.append(sized(7, sized(1, sized(5, sized(1, b"value"), sized(5, good[0]), tag(20, 0), b"\4")), sized(15, sized(1, good[1]))))
    found = []
    for number, model in enumerate(models):
        size = len(model).to_bytes(2, "little")
        flags = (0, 1, 3, 7, 32, 16, 8) if number == 0 else (number % 8,)
        found += [bytes([flag, (number * 37 + flag * 11) % 256]) + size + model + weights for flag in flags]
    for saving in range(0, 256, 5):
        recipe = b"2,64|w|0|64||a\n1,3,5|w|64|||b\n@2,8|sub/v|1|8||c\n16,4|./w|500|8||c\n2,0|inner|0|0||e"
        found.append(bytes([0x80 | saving % 8, saving, len(recipe), 0]) + recipe + weights)
    lines = (b"2,4|../outside|0|4||x", b"2,4|outer|0|4||x", b"1,9223372036854775807|w|0|||x", b"2,4|w|18446744073709551615|4||x")
    found += [bytes([0x80, 1, len(line), 0]) + line + weights for line in lines]
    return found


def encrypted() -> list[bytes]:
    """What fuzz/encrypted.cc seals, edits and opens, and containers that are none."""
    found = [bytes([3 | flags, 0, 9, 0]) + magic + tail for flags in (0, 8, 24, 96) for magic in (b"ONNXCRY1", b"ONNXGCM1", b"ONNXCCP1") for tail in (
        b"", bytes(32), bytes(48), b"\1\0\0\0\xe8\3\0\0" + bytes(16) + b"\x10\0\0\0" + bytes(12) + bytes(16),
        b"\1\0\0\0\x80\x96\x98\0" + bytes(16) + b"\0\0\0\1" + bytes(12) + bytes(40),
    )]  # fmt: skip
    contents = [data for kind, data in made() if kind in ("ModelProto", "TensorProto") and len(data) < 2000] + [
        b"",
        bytes(15),
        bytes(16),
        bytes(5000),
    ]
    for content in contents:
        for format in range(3):
            for flags in (0, 4, 8, 20, 32, 96):
                found.append(bytes([format | flags, 16 * format, 7, 0]) + content)
                edits = bytes([0, 9, 0, 1]), bytes([1, 60, 0, 0]), bytes([2, 70, 0, 0]), bytes([3, 48, 0, 48])
                found.append(bytes([format | flags, 16, 30, 1]) + edits[(len(content) + flags) % 4] + content)
    return found


def deep(levels: int) -> dict[str, bytes]:
    """An attribute in each text form, nested about as deep as all forms go."""
    constant = b"a = g () => () <float[2] w = {1, 2}> { }"
    return {
        "text_format": b"g{node{attribute{" * levels + b"}}}" * levels,
        "json": b'{"g":{"node":[{"attribute":[' * levels + b"{}" + b"]}]}}" * levels,
        "onnx_syntax": b"a = g () => () { y = A <" * levels + constant + b"> () }" * levels,
    }


def main() -> None:
    """Writes everything."""
    target = pathlib.Path(sys.argv[1])
    order = message_types()

    def write(name: str, data: bytes) -> None:
        folder = target / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)

    for kind, data in real() + made():
        first = bytes([order.index(kind)])
        write("parse_roundtrip", first + data)
        for flags in (0, 0x23, 0x3F):
            write("parse_limits", first + bytes([flags, 40, 16, 16, 200]) + data)
        if len(data) < 250:
            write("unknown_equal", bytes([len(data)]) + data + data)
            write("unknown_equal", bytes([len(data) // 2]) + data)
    for name, inputs in (("two_files", two_files()), ("encrypted", encrypted())):
        for data in inputs:
            write(name, data)
    for target_name, table in (("text_format", "text_inputs.txt"), ("json", "json_inputs.txt")):
        for kind, text in texts(table):
            for flag in (0, 0x80):
                write(target_name, bytes([order.index(kind) | flag]) + text)
    for kind, text in texts("syntax_inputs.txt"):
        number = SYNTAX_TYPES.index(f"{kind.capitalize()}Proto")
        write("onnx_syntax", bytes([number]) + text.decode().encode("latin-1", "backslashreplace").decode("unicode_escape").encode())
    for levels in range(130, 135):
        for target_name, text in deep(levels).items():
            types = SYNTAX_TYPES if target_name == "onnx_syntax" else order
            write(target_name, bytes([types.index("AttributeProto")]) + text)


if __name__ == "__main__":
    main()
