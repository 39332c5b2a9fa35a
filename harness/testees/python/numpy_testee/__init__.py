"""The parts of the NumPy testee: dtypes, values, observations, formats and the channel."""
