"""How many times as long as elsewhere everything takes here: on an emulated machine, from the environment."""

import os

PATIENCE = min(max(int(os.environ.get("NDPROOF_PATIENCE", "1")), 1), 100)
