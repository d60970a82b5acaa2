"""The objects of a kernel package, read with no compiler of the platform at hand: format, architecture, symbols.

usage: check_kernel_package.py PLATFORM FOLDER    FOLDER: the package's kernels/<platform>
Needs llvm-nm. Every kernel of the table is there, refers to nothing but Sluice and the C library, and Halide's runtime
defines nothing under a name of Halide's.
"""
import pathlib
import re
import struct
import subprocess
import sys

platform, folder = sys.argv[1], pathlib.Path(sys.argv[2])
arch, system = platform.rsplit("-", 1)
mach_o, coff = system in ("osx", "ios"), system == "windows"
# What compilers call of their own accord.
compiler_calls = {"memset", "memcpy", "bzero", "__bzero", "memset_pattern16", "_fltused", "__chkstk", "expf"}


def object_format(data):
    """(format, architecture) by the file's own header."""
    if data[:4] == b"\x7fELF":
        return "elf", {62: "x86-64", 183: "arm64"}.get(struct.unpack_from("<H", data, 18)[0])
    if data[:4] == b"\xcf\xfa\xed\xfe":
        return "mach-o", {0x01000007: "x86-64", 0x0100000C: "arm64"}.get(struct.unpack_from("<I", data, 4)[0])
    return "coff", {0x8664: "x86-64", 0xAA64: "arm64"}.get(struct.unpack_from("<H", data, 0)[0])


def symbols(path, *options):
    text = subprocess.run(["llvm-nm", "--extern-only", "--format=posix", *options, path], check=True, capture_output=True,
                          text=True).stdout
    names = {line.split()[0] for line in text.splitlines() if line}
    return {name.removeprefix("_") for name in names} if mach_o else names


faults = []
objects = {path.stem: path for path in folder.glob("*.obj" if coff else "*.o")}
expected_format = ("mach-o" if mach_o else "coff" if coff else "elf", arch)
for name, path in objects.items():
    if (given := object_format(path.read_bytes())) != expected_format:
        faults.append(f"{path.name}: expected {expected_format}, given {given}")

rows = re.findall(r"^SLUICE_KERNEL\((\w+),", (folder / "include/sluice/kernels_ship.inc").read_text(), re.MULTILINE)
if set(rows) | {"halide_runtime"} != objects.keys() or not rows:
    faults.append(f"table and objects differ: {sorted((set(rows) | {'halide_runtime'}) ^ objects.keys())}")
provided = symbols(objects["halide_runtime"], "--defined-only")
faults += [f"halide_runtime defines {name}" for name in sorted(provided)
           if not re.match(r"sluice_|(__xmm|__ymm|__real)@|@feat", name)]
for name in set(rows) & objects.keys():
    defined, wanted = symbols(objects[name], "--defined-only"), symbols(objects[name], "--undefined-only")
    if f"{name}_argv" not in defined:
        faults.append(f"{name}: does not define {name}_argv")
    strange = {w for w in wanted if not w.startswith("sluice_hook_")} - compiler_calls - provided
    if strange:
        faults.append(f"{name}: wants {sorted(strange)}")

print("\n".join(faults) or f"{platform}: {len(rows)} kernels and Halide's runtime, {' '.join(expected_format)}")
sys.exit(bool(faults))
