"""Programs: `check-model` and `check-node`."""
