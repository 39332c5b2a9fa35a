"""The factor for deadlines: from the environment on an emulated machine. With cudf, every process that receives one of
its arrays first imports it, which takes as long as thousands of cases.
"""

import importlib.util
import os

PATIENCE = min(max(int(os.environ.get("NDPROOF_PATIENCE", "1")), 1), 100)
if importlib.util.find_spec("cudf") is not None:
    PATIENCE = max(PATIENCE, 4)
