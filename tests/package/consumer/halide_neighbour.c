/* A program with a Halide kernel and Halide runtime of its own, and allocation hooks on it: Sluice meets none of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode.h"
#include "neighbour.h"

typedef void *(*allocate_function)(void *, size_t);
typedef void (*release_function)(void *, void *);
extern allocate_function halide_set_custom_malloc(allocate_function);
extern release_function halide_set_custom_free(release_function);

static int allocations;
static void *count_allocation(void *user_context, size_t bytes) {
  (void)user_context;
  allocations++;
  return aligned_alloc(128, (bytes + 127) / 128 * 128);
}
static void release(void *user_context, void *block) {
  (void)user_context;
  free(block);
}

enum { N = 64 };
static float in[N * N], out[N * N];

static int neighbour_is_right(void) {
  halide_dimension_t in_dim[2] = {{0, N, 1, 0}, {0, N, N, 0}}, out_dim[2] = {{0, N, 1, 0}, {0, N, N, 0}};
  const struct halide_type_t f32 = {halide_type_float, 32, 1};
  halide_buffer_t source = {.host = (uint8_t *)in, .type = f32, .dimensions = 2, .dim = in_dim};
  halide_buffer_t doubled = {.host = (uint8_t *)out, .type = f32, .dimensions = 2, .dim = out_dim};
  for (int i = 0; i < N * N; i++) in[i] = (float)i, out[i] = -1;
  if (neighbour(&source, &doubled) != 0) return 0;
  for (int i = 0; i < N * N; i++) {
    if (out[i] != 2 * (float)i) return 0;
  }
  return 1;
}

/* The argument: the version that the neighbour must be of. */
int main(int argc, char **argv) {
  char version[64];
  snprintf(version, sizeof version, "%d.%d.%d", HALIDE_VERSION_MAJOR, HALIDE_VERSION_MINOR, HALIDE_VERSION_PATCH);
  if (argc != 2 || strcmp(version, argv[1]) != 0) return fprintf(stderr, "the neighbour is Halide %s\n", version), 1;
  halide_set_custom_malloc(count_allocation);
  halide_set_custom_free(release);
  if (!neighbour_is_right()) return fprintf(stderr, "the neighbour is wrong before Sluice ran\n"), 1;
  const int before = allocations;
  if (before == 0) return fprintf(stderr, "the neighbour's hook was not called: this test shows nothing\n"), 1;
  if (decode() != 0) return 1;
  if (allocations != before) return fprintf(stderr, "Sluice called the neighbour's malloc\n"), 1;
  if (!neighbour_is_right()) return fprintf(stderr, "the neighbour is wrong after Sluice ran\n"), 1;
  if (allocations <= before) return fprintf(stderr, "the neighbour's hook is gone\n"), 1;
  return 0;
}
