"""Makes neighbour.a and neighbour.h: a parallel Halide kernel with Halide's own runtime, for a target and a folder."""
import sys

import halide as hl

folder, target = sys.argv[1:]
x, y = hl.vars("x y")
source = hl.ImageParam(hl.Float(32), 2, "source")
blurred, doubled = hl.Func("blurred"), hl.Func("doubled")
blurred[x, y] = source[x, y] + source[x, y]
doubled[x, y] = blurred[x, y] * 0.5 + source[x, y]
blurred.compute_root().parallel(y)  # of unknown size: the kernel calls halide_malloc and halide_do_par_for
doubled.parallel(y)
doubled.compile_to({hl.OutputFileType.static_library: f"{folder}/neighbour.a",
                    hl.OutputFileType.c_header: f"{folder}/neighbour.h"}, [source], "neighbour", hl.Target(target))
