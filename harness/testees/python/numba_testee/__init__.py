"""The parts of the testee for shared dicts."""
