#!/usr/bin/env python3
"""Checks that every entry of the lists of one JSON file is in those of another. Usage: check-subset.py PART.json WHOLE.json"""
import json
import sys

part, whole = (json.load(open(path)) for path in sys.argv[1:])
missing = [(key, entry) for key, entries in part.items() for entry in entries if entry not in whole[key]]
if missing or not all(part.values()):
    sys.exit(f"error: not in {sys.argv[2]}: {missing or 'nothing to compare'}")
