/* The public header as C11, and one token computed by hand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sluice/sluice.h"

static sluice_tensor tensor3(float *data, int64_t a, int64_t b, int64_t c) {
  sluice_tensor view = {.data = data, .dtype = SLUICE_F32, .rank = 3, .shape = {a, b, c}, .stride = {b * c, c, 1}};
  return view;
}

static sluice_tensor tensor4(float *data, int64_t a, int64_t b, int64_t c, int64_t d) {
  sluice_tensor view = {
      .data = data, .dtype = SLUICE_F32, .rank = 4, .shape = {a, b, c, d}, .stride = {b * c * d, c * d, d, 1}};
  return view;
}

static int expect(int holds, const char *what) {
  if (!holds) fprintf(stderr, "c_test: %s\n", what);
  return holds ? 0 : 1;
}

int main(void) {
  int failures = 0;
  sluice_context *context = NULL;
  failures += expect(sluice_context_create(NULL, &context) == SLUICE_OK, "a default context");
  failures += expect(strcmp(sluice_version(), "0.1.0") == 0, "the version of this header");
  failures += expect(sluice_kernel_count() > 0, "a kernel in the table");

  /* S = [1 2; 3 4], decay 1/2: S' = [.5 1; 1.5 2]. k = (1, 0), beta = 1/2, v = (2, 4): p = S'^T k = (.5, 1),
   * delta = beta (v - p) = (.75, 1.5), S = [1.25 2.5; 1.5 2]. q = (1, 1), scale = 2: o = 2 (2.75, 4.5). */
  float query[2] = {1, 1}, key[2] = {1, 0}, value[2] = {2, 4}, gate[1] = {0.5F}, beta[1] = {0.5F};
  float state[4] = {1, 2, 3, 4}, output[2] = {0, 0};
  const float expected_state[4] = {1.25F, 2.5F, 1.5F, 2}, expected_output[2] = {5.5F, 9};

  sluice_gated_delta_rule_args args;
  sluice_gated_delta_rule_args_init(&args);
  failures += expect(args.struct_size == sizeof args, "init to set struct_size");
  args.rule = SLUICE_GDN;
  args.scale = 2;
  args.query = tensor4(query, 1, 1, 1, 2);
  args.key = tensor4(key, 1, 1, 1, 2);
  args.value = tensor4(value, 1, 1, 1, 2);
  args.gate = tensor3(gate, 1, 1, 1);
  args.beta = tensor3(beta, 1, 1, 1);
  args.initial_state = args.final_state = tensor4(state, 1, 1, 2, 2);
  args.output = tensor4(output, 1, 1, 1, 2);
  failures += expect(sluice_gated_delta_rule(context, &args) == SLUICE_OK, sluice_error_message(context));
  for (int i = 0; i < 2; ++i) failures += expect(fabsf(output[i] - expected_output[i]) < 1e-5F, "the output");
  for (int i = 0; i < 4; ++i) failures += expect(fabsf(state[i] - expected_state[i]) < 1e-5F, "the state");

  args.key.data = NULL;
  failures += expect(sluice_gated_delta_rule(context, &args) == SLUICE_INVALID_ARGUMENT, "a refusal without key");
  failures += expect(strstr(sluice_error_message(context), "key") != NULL, "a message that names the key");
  sluice_context_destroy(context);
  return failures == 0 ? 0 : 1;
}
