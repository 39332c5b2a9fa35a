"""Runs a snippet and finds its last value: that of its last expression, or of the name that it assigned last if the
expression is a call without a value, such as print."""

import ast
import os
import sys


class NoValue(Exception):
    """The snippet is no Python, or neither ends in an expression nor assigns a name."""


def _assigned_name(statement):
    """The name that a statement assigns, or None."""
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        targets = [statement.target]
    elif isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return statement.name
    else:
        return None
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    return names[-1] if names else None


def _parse(path):
    try:
        with open(path, "rb") as file:
            return ast.parse(file.read(), path)
    except (OSError, SyntaxError, ValueError) as error:
        raise NoValue("%s" % error)


def last_value(path):
    """The last value of the snippet, which runs like a script."""
    tree = _parse(path)
    last = tree.body[-1] if tree.body else None
    names = [name for name in map(_assigned_name, tree.body) if name is not None]
    is_expression = isinstance(last, ast.Expr)
    if not is_expression and not names:
        raise NoValue("the snippet ends in no expression and assigns no name, so it has no value")
    scope = {"__name__": "__main__", "__file__": path, "__builtins__": __builtins__}
    sys.argv = [path]
    sys.path[0:0] = [os.path.dirname(os.path.abspath(path))]
    if is_expression:
        tree.body.pop()
    exec(compile(tree, path, "exec"), scope)
    value = eval(compile(ast.Expression(last.value), path, "eval"), scope) if is_expression else None
    is_call = is_expression and isinstance(last.value, ast.Call)
    if not is_expression or (is_call and value is None and names):
        return scope[names[-1]]
    return value
