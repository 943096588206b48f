"""Order and registers of loops by constraint solving."""
