"""Models for the tests, written from the standards; nothing here knows the simulator."""
