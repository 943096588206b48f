"""Runs a command and reports its CPU time and memory: `python -I -S child.py REPORT COMMAND...`.

A process of its own, since the kernel counts as a process's memory also that of its parent before exec. This one is
small.
"""

import json
import resource
import subprocess
import sys
from pathlib import Path

if __name__ == "__main__":
    code = subprocess.call(sys.argv[2:])
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    report = {"user": used.ru_utime, "system": used.ru_stime, "memory": 1024 * used.ru_maxrss}
    Path(sys.argv[1]).write_text(json.dumps(report))
    sys.exit(code if code >= 0 else 128 - code)
