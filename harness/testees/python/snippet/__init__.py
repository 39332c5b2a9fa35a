"""Describes the value that a Python snippet builds, for `ndproof replay --python PATH snippet.py`."""
