"""What a figure was measured on."""

import os
import platform
from pathlib import Path
from typing import Any


def machine() -> dict[str, Any]:
    """Cores, memory, load and versions. A load above the number of cores says that others were at work too."""
    memory = Path("/proc/meminfo")
    kilobytes = int(memory.read_text().split()[1]) if memory.exists() else 0
    return {
        "cores": len(os.sched_getaffinity(0)), "memory GB": round(kilobytes / 1e6, 1),
        "processor": platform.processor() or platform.machine(), "python": platform.python_version(),
        "load": [round(each, 1) for each in os.getloadavg()],
    }  # fmt: skip
