"""Wrong firmware, of which nothing may be proved: rows, registers, order, table entries and counts."""
