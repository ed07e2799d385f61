"""Stands in for google.protobuf.json_format: messages to protobuf's JSON and back."""

from __future__ import annotations

import json
from typing import Any

from onnx_light.onnx_py import _onnxpy

__all__ = ["Error", "MessageToDict", "MessageToJson", "Parse", "ParseDict", "ParseError", "SerializeToJsonError"]


class Error(Exception):
    """What goes wrong between messages and JSON."""


class ParseError(Error):
    """JSON that is not the message it should be. What is raised is derived from this class and from onnx_light.onnx.JsonParseError."""


class SerializeToJsonError(Error, _onnxpy.EncodeError):
    """A message that JSON cannot express."""


def MessageToJson(
    message: Any,
    preserving_proto_field_name: bool = False,
    indent: int | None = 2,
    sort_keys: bool = False,
    use_integers_for_enums: bool = False,
    descriptor_pool: Any = None,
    float_precision: int | None = None,
    ensure_ascii: bool = True,
    always_print_fields_with_no_presence: bool = False,
) -> str:
    """The message as JSON.

    Raises:
        SerializeToJsonError: it holds text that is not UTF-8.
        RecursionError: it is nested too deep.
    """
    try:
        text: str = _onnxpy.text.to_json(
            message,
            preserving_proto_field_name=bool(preserving_proto_field_name),
            indent=indent,
            sort_keys=bool(sort_keys),
            use_integers_for_enums=bool(use_integers_for_enums),
            float_precision=float_precision,
            ensure_ascii=bool(ensure_ascii),
            always_print_fields_with_no_presence=bool(always_print_fields_with_no_presence),
        )
    except _onnxpy.EncodeError as error:
        raise SerializeToJsonError(str(error)) from None
    return text


def MessageToDict(
    message: Any,
    always_print_fields_with_no_presence: bool = False,
    preserving_proto_field_name: bool = False,
    use_integers_for_enums: bool = False,
    descriptor_pool: Any = None,
    float_precision: int | None = None,
) -> dict[str, Any]:
    """The message as a dict of what JSON knows. Raises what MessageToJson raises."""
    text = MessageToJson(
        message,
        preserving_proto_field_name=preserving_proto_field_name,
        indent=None,
        use_integers_for_enums=use_integers_for_enums,
        float_precision=float_precision,
        always_print_fields_with_no_presence=always_print_fields_with_no_presence,
    )
    told: dict[str, Any] = json.loads(text)
    return told


def Parse(
    text: str | bytes, message: Any, ignore_unknown_fields: bool = False, descriptor_pool: Any = None, max_recursion_depth: int = 100
) -> Any:
    """Merges what the JSON says into the message and returns it; a failure leaves it as it was.

    Raises:
        ParseError: the text is not JSON, or not of this message.
    """
    message.MergeFrom(_onnxpy.text.from_json(text, type(message)(), ignore_unknown_fields=bool(ignore_unknown_fields)))
    return message


def ParseDict(
    js_dict: dict[str, Any], message: Any, ignore_unknown_fields: bool = False, descriptor_pool: Any = None, max_recursion_depth: int = 100
) -> Any:
    """Like Parse, from what json.loads gives."""
    return Parse(json.dumps(js_dict), message, ignore_unknown_fields, descriptor_pool, max_recursion_depth)
