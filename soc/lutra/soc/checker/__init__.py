"""The AXI checkers: their rules, and traces to show them."""
