"""The reason why a descriptor cannot express a value."""


class Inexpressible(Exception):
    """Names the part of the value."""
