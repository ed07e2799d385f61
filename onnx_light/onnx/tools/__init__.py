"""Changes to whole models."""
