"""Where the cycles of firmware go."""
