"""onnx-light ls."""

from __future__ import annotations

import argparse

from onnx_light.cli.arguments import add_format, add_model

HELP = "list tensors or nodes, one a row, filtered and sorted"
EXAMPLE = """
onnx-light ls model.onnx --sort bytes | head     # the largest weights
onnx-light ls model.onnx --nodes --op 'Conv*'    # the convolutions
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    parser.add_argument("pattern", nargs="?", default="*", metavar="PATTERN", help="only names that fit, as in a shell: 'encoder.*'")
    add_format(parser)
    parser.add_argument("--nodes", action="store_true", help="nodes instead of tensors")
    parser.add_argument("--op", metavar="PATTERN", help="only nodes of these operators (implies --nodes)")
    parser.add_argument("--type", metavar="TYPE", help="only tensors of this type: FLOAT, INT64, ...")
    parser.add_argument("--sort", default="place", help="place (default), name; for tensors bytes (largest first) or type; for nodes op")


def run(options: argparse.Namespace) -> int:
    from onnx_light.cli.output import bytes_text, print_json, print_table
    from onnx_light.cli.progress import read
    from onnx_light.tools.listing import list_nodes, list_tensors

    model = read(options.model, format=options.format)
    if options.nodes or options.op is not None:
        if options.type is not None:
            raise ValueError("--type is about tensors, --nodes and --op are about nodes")
        nodes = list_nodes(model, options.pattern, op=options.op, sort=options.sort)
        if options.json:
            print_json(nodes)
        else:
            node_cells = ((row.op, row.name, ", ".join(row.inputs), ", ".join(row.outputs), row.place) for row in nodes)
            print_table(("operator", "name", "inputs", "outputs", "place"), node_cells)
        return 0
    tensors = list_tensors(model, options.pattern, type=options.type, sort=options.sort)
    if options.json:
        print_json(tensors)
    else:
        tensor_cells = ((row.name, row.type, str(row.shape), bytes_text(row.bytes), row.storage, row.place) for row in tensors)
        print_table(("name", "type", "shape", "bytes", "stored", "place"), tensor_cells, right=(3,))
    return 0
