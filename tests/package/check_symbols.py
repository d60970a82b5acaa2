"""The names a built library shows: an archive defines sluice_* and namespace sluice, a shared library the header's
functions and nothing else. Also: no executable stack.

usage: check_symbols.py NM READELF HEADER LIBRARY
"""
import re
import subprocess
import sys

nm, readelf, header, library = sys.argv[1:]
shared = ".so" in library


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


faults = []
names = {}
for line in run(nm, "--extern-only", "--defined-only", "--format=posix", *(["--dynamic"] if shared else []), library).splitlines():
    words = line.split()
    if len(words) >= 2 and not line.endswith(":"):
        names[words[0]] = words[1]
public = set(re.findall(r"^SLUICE_API .*?(sluice_\w+)\(", open(header).read(), re.MULTILINE))
assert len(public) > 8, f"{header}: found only {public}"
faults += [f"{name}: in the header, not in the library" for name in sorted(public - names.keys())]

# Weak: C++ templates and inline functions, which any C++ object has.
ours = re.compile(r"sluice_|_Z\w*\d+sluice")
for name, kind in sorted(names.items()):
    if shared and name not in public:
        faults.append(f"{name}: exported, not in the header")
    elif not shared and not ours.match(name) and not kind.upper() in ("W", "V", "U"):
        faults.append(f"{name}: neither sluice_* nor in namespace sluice")

if shared:
    if "GNU_STACK" not in (text := run(readelf, "--program-headers", "--wide", library)) or \
            re.search(r"GNU_STACK.* RWE ", text):
        faults.append("the stack is executable")
else:
    for member in run(readelf, "--section-headers", "--wide", library).split("\nFile: ")[1:]:
        if ".note.GNU-stack" not in member or re.search(r"\.note\.GNU-stack.* X ", member):
            faults.append(f"{member.splitlines()[0]}: asks for an executable stack")

print("\n".join(faults) or f"{library}: {len(names)} names, all as they should be")
sys.exit(bool(faults))
