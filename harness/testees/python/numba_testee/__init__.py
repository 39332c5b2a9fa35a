"""What the testee for shared dicts is made of."""
