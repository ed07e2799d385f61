"""Stands in for google.protobuf.text_format: messages to protobuf's text format and back."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from onnx_light.onnx_py import _onnxpy

__all__ = ["Error", "Merge", "MergeLines", "MessageToBytes", "MessageToString", "Parse", "ParseError", "ParseLines"]


class Error(Exception):
    """What goes wrong between messages and text."""


class ParseError(Error):
    """Text that is not the message it should be. What is raised is derived from this class and from onnx_light.onnx.TextParseError."""

    line: int | None = None
    column: int | None = None

    def GetLine(self) -> int | None:
        """The line, counted from 1, or None."""
        return self.line

    def GetColumn(self) -> int | None:
        """The column, counted from 1, or None."""
        return self.column


def MessageToString(
    message: Any,
    as_utf8: bool = True,
    as_one_line: bool = False,
    use_short_repeated_primitives: bool = False,
    pointy_brackets: bool = False,
    use_index_order: bool = False,
    float_format: str | None = None,
    double_format: str | None = None,
    use_field_number: bool = False,
    descriptor_pool: Any = None,
    indent: int = 0,
    message_formatter: Any = None,
    print_unknown_fields: bool = False,
    force_colon: bool = False,
) -> str:
    """The message in protobuf's text format.

    Raises:
        NotImplementedError: a layout is asked for that protobuf itself is needed for.
        RecursionError: the message is nested too deep.
    """
    unusual = {
        "pointy_brackets": pointy_brackets,
        "float_format": float_format,
        "double_format": double_format,
        "use_field_number": use_field_number,
        "message_formatter": message_formatter,
        "print_unknown_fields": print_unknown_fields,
        "force_colon": force_colon,
    }
    if asked := [name for name, value in unusual.items() if value]:
        raise NotImplementedError(f"MessageToString: {', '.join(asked)} needs protobuf, which is not installed")
    text: str = _onnxpy.text.to_text_format(
        message,
        as_utf8=bool(as_utf8),
        as_one_line=bool(as_one_line),
        use_short_repeated_primitives=bool(use_short_repeated_primitives),
    )
    if indent and not as_one_line:
        text = re.sub(r"^(?=.)", " " * indent, text, flags=re.MULTILINE)
    return text


def MessageToBytes(message: Any, **kwargs: Any) -> bytes:
    """The message in protobuf's text format, as UTF-8."""
    return MessageToString(message, **kwargs).encode("utf-8" if kwargs.get("as_utf8", True) else "ascii")


def Merge(
    text: str | bytes,
    message: Any,
    allow_unknown_extension: bool = False,
    allow_field_number: bool = False,
    descriptor_pool: Any = None,
    allow_unknown_field: bool = False,
) -> Any:
    """Merges what the text says into the message and returns it; a failure leaves it as it was.

    Raises:
        ParseError: the text is not this message.
    """
    if allow_field_number:
        raise NotImplementedError("Merge: allow_field_number needs protobuf, which is not installed")
    message.MergeFrom(_onnxpy.text.from_text_format(text, type(message)(), allow_unknown_field=bool(allow_unknown_field)))
    return message


def Parse(
    text: str | bytes,
    message: Any,
    allow_unknown_extension: bool = False,
    allow_field_number: bool = False,
    descriptor_pool: Any = None,
    allow_unknown_field: bool = False,
) -> Any:
    """Like Merge; callers hand over an empty message."""
    return Merge(text, message, allow_unknown_extension, allow_field_number, descriptor_pool, allow_unknown_field)


def _joined(lines: Iterable[str | bytes]) -> str:
    return "\n".join(line.decode() if isinstance(line, bytes) else line for line in lines)


def MergeLines(lines: Iterable[str | bytes], message: Any, **kwargs: Any) -> Any:
    """Like Merge, from lines."""
    return Merge(_joined(lines), message, **kwargs)


def ParseLines(lines: Iterable[str | bytes], message: Any, **kwargs: Any) -> Any:
    """Like Parse, from lines."""
    return Parse(_joined(lines), message, **kwargs)
