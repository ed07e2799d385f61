"""One verb a module: HELP, EXAMPLE, add_arguments(parser) and run(options) -> exit code. What a verb needs is imported when it runs."""
