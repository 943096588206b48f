"""How much a proof multiplies out, and how much it remembers."""

# A product of sums is multiplied out if it has at most so many terms.
MOST_TERMS = 64
# Outputs of tables of a small degree are multiplied out where their inputs have at most so many atoms.
MOST_MULTIPLIED = 40
# With so many atoms, a proof forgets those of a path that has come to its end: they can take 5,000 bytes each.
MANY = 250_000
# The same where words that are known by numbers, and factors of products, have so many atoms: 32 to 64 bytes each.
MOST_HELD = 4_000_000
MOST_REMEMBERED = 4_000_000  # the same, of results
# Where less than this part of these is the path's own, forgetting it would only lose results that the next one needs.
LEAST_PART = 8
