#!/usr/bin/env python3
"""Writes a bill of materials of a prefix (CycloneDX 1.5, JSON): its programs and libraries, those carried along, those expected of the system.

Usage: make-sbom.py PREFIX --name=NAME --version=VERSION -o FILE
"""
import argparse
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import uuid

LICENCE = "Apache-2.0 WITH LLVM-exception"
# What is compiled in from headers alone.
HEADERS = [("nlohmann-json3-dev", "nlohmann-json", "MIT")]


def elf_files(prefix):
    for file in sorted(prefix.rglob("*")):
        if file.is_file() and not file.is_symlink():
            with open(file, "rb") as stream:
                if stream.read(4) == b"\x7fELF":
                    yield file


def needed(file):
    text = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", text)


def version_of(package):
    found = subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], capture_output=True, text=True)
    return found.stdout if found.returncode == 0 else ""


def describe(prefix, name, version):
    carried = dict(line.split(" ", 1) for line in sources.read_text().splitlines()) if (
        sources := prefix / "lib" / "tessera" / "SOURCES").exists() else {}
    components, present, wanted = [], set(), set()
    for file in elf_files(prefix):
        path = str(file.relative_to(prefix))
        present.add(file.name)
        wanted.update(needed(file))
        package, _, source_version = carried.get(file.name, "").partition(" ")
        component = {
            "type": "library" if ".so" in file.name else "application",
            "bom-ref": path,
            "name": file.name,
            "version": source_version or version,
            "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(file.read_bytes()).hexdigest()}],
            "properties": [{"name": "tessera:path", "value": path}],
        }
        if package:
            component["purl"] = f"pkg:deb/debian/{package}@{source_version}?arch=source"
        elif file.name not in carried:
            component["licenses"] = [{"expression": LICENCE}]
        components.append(component)
    for package, title, licence in HEADERS:
        components.append({"type": "library", "bom-ref": package, "name": title, "version": version_of(package),
                           "licenses": [{"expression": licence}], "scope": "required",
                           "properties": [{"name": "tessera:kind", "value": "compiled in"}]})
    for library in sorted(wanted - present):
        components.append({"type": "library", "bom-ref": library, "name": library, "scope": "required",
                           "properties": [{"name": "tessera:kind", "value": "expected of the system"}]})
    references = [component["bom-ref"] for component in components]
    time = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), datetime.timezone.utc)
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {"type": "application", "bom-ref": name, "name": name, "version": version,
                          "licenses": [{"expression": LICENCE}]},
        },
        "components": components,
        "dependencies": [{"ref": name, "dependsOn": references}],
    }
    digest = hashlib.sha256(json.dumps(bill, sort_keys=True).encode()).hexdigest()
    return {"serialNumber": uuid.uuid5(uuid.NAMESPACE_OID, digest).urn, **bill}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("prefix", type=pathlib.Path)
    parser.add_argument("--name", required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("-o", dest="output", required=True)
    options = parser.parse_args()
    with open(options.output, "w", encoding="utf-8") as file:
        json.dump(describe(options.prefix, options.name, options.version), file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
