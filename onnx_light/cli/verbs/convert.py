"""onnx-light convert."""

from __future__ import annotations

import argparse

from onnx_light.cli.arguments import FORMATS, size

HELP = "write a model in another form: format, weights inside or beside, split, aligned, narrower"
EXAMPLE = """
onnx-light convert model.onnx model.textproto
onnx-light convert model.onnx big.onnx --external --split 2GB --align 4096
onnx-light convert big.onnx single.onnx --internal
"""

_SHOWN = 3  # names of weights that stay as they are


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="SOURCE", help="a path, or - for standard input")
    parser.add_argument("target", metavar="TARGET", help="a path, or - for standard output")
    parser.add_argument("--from", dest="source_format", choices=FORMATS, help="format of the source; by default its extension tells")
    parser.add_argument("--to", choices=FORMATS, help="format of the target; by default its extension tells")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--external", action="store_true", help="weights to a file beside the model (default: where they are)")
    where.add_argument("--internal", action="store_true", help="weights into the model")
    parser.add_argument("--location", metavar="NAME", help="of the weights file (default: TARGET.data)")
    parser.add_argument("--each", action="store_true", help="each weight to a file of its own")
    parser.add_argument("--split", type=size, metavar="SIZE", help="bytes a weights file may have: 2GB; further ones are NAME.1, ...")
    parser.add_argument("--align", type=size, default=0, metavar="SIZE", help="each weight starts at a multiple of this: 4096")
    parser.add_argument("--threshold", type=size, metavar="SIZE", help="smaller weights stay in the model (default 1024)")
    parser.add_argument("--attributes", action="store_true", help="tensors in attributes go to files as well")
    parser.add_argument("--checksums", action="store_true", help="note the SHA-1 of the weights files")
    parser.add_argument(
        "--weights",
        choices=("float16", "bfloat16"),
        help="store FLOAT weights in half the bytes, with a Cast after each; those that cannot stay as they are",
    )
    parser.add_argument("--durable", action="store_true", help="wait until all is on the disk")
    parser.add_argument("--inplace", action="store_true", help="TARGET may be SOURCE")


def run(options: argparse.Namespace) -> int:
    from onnx_light.cli.notes import tell, tell_leftovers
    from onnx_light.cli.output import print_json
    from onnx_light.cli.progress import reading
    from onnx_light.tools.conversion import convert

    external = True if options.external else False if options.internal else None
    with reading(options.source, options.source_format) as bar:
        done = convert(
            options.source,
            options.target,
            source_format=options.source_format,
            format=options.to,
            external=external,
            location=options.location,
            one_file=not options.each,
            split=options.split,
            alignment=options.align,
            threshold=options.threshold,
            attributes=options.attributes,
            checksums=options.checksums,
            weights=options.weights,
            inplace=options.inplace,
            durable=options.durable,
            progress=bar.add,
            before_writing=lambda size: bar.begin("converting", size),
        )
    tell_leftovers(options, done)
    if done.wide:
        more = f" and {len(done.wide) - _SHOWN} more" if len(done.wide) > _SHOWN else ""
        tell(options, f"{len(done.wide)} tensors stay FLOAT: {', '.join(done.wide[:_SHOWN])}{more}")
    if options.json and options.target != "-":
        result = {"output": options.target, "removed": done.removed, "left": done.left}
        print_json(result | ({"wide": done.wide} if options.weights else {}))
    return 0
