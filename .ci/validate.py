#!/usr/bin/env python3
"""Runs a command that writes a report, and validates the report with the jsonschema package.

usage: validate SCHEMA REPORT COMMAND...
Exit codes 0, 1, 5 and 6 of the command are judgements about targets; any other is an error of the command.
"""

import json
import pathlib
import subprocess
import sys

import jsonschema


def main() -> int:
    schema_path, report_path, *command = sys.argv[1:]
    report = pathlib.Path(report_path)
    report.unlink(missing_ok=True)
    code = subprocess.run(command).returncode
    if code not in (0, 1, 5, 6):
        print(f"{command}: exit code {code}")
        return 1
    validator = jsonschema.Draft202012Validator(json.loads(pathlib.Path(schema_path).read_text()))
    validator.check_schema(validator.schema)
    errors = sorted(validator.iter_errors(json.loads(report.read_text())), key=lambda e: e.json_path)
    for error in errors[:20]:
        print(f"{report}: {error.json_path}: {error.message[:200]}")
    return 1 if errors else 0


sys.exit(main())
