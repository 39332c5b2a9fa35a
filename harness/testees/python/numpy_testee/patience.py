"""How many times as long as elsewhere everything takes here: on an emulated machine, from the environment. Where cudf is,
every process that takes one of its arrays imports it first, which takes as long as thousands of cases."""

import importlib.util
import os

PATIENCE = min(max(int(os.environ.get("NDPROOF_PATIENCE", "1")), 1), 100)
if importlib.util.find_spec("cudf") is not None:
    PATIENCE = max(PATIENCE, 4)
