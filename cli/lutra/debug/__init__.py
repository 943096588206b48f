"""The debugger: a session over a machine whose past is kept, and its front ends."""
