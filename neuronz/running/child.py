"""Runs a module (uvicorn, celery) as a child that never outlives the supervisor: `-m neuronz.running.child MODULE …`.

A supervisor that was killed cannot stop its children. Linux kills them for it; elsewhere they look for themselves.
"""

import ctypes
import os
import runpy
import signal
import sys
import threading
import time

PR_SET_PDEATHSIG = 1


def end_with(parent: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    else:
        threading.Thread(target=_watch, args=[parent], daemon=True).start()
    if os.getppid() != parent:  # it died before we asked
        _end()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    _end()


def _end() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    end_with(int(os.environ["NEURONZ_SUPERVISOR"]))
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
