"""A finding as a standalone Python script: the renderer behind `ndproof replay --script`. Uses the standard library."""
