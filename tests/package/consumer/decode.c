#include "decode.h"

#include <math.h>
#include <sluice/sluice.h>
#include <stdio.h>

enum { HEADS = 3, DIM = 100 };

static sluice_tensor view(float *data, int dim) {
  sluice_tensor t = {data, SLUICE_F32, 4, {1, HEADS, 1, dim}, {HEADS * dim, dim, dim, 1}};
  return t;
}

/* From an empty state, o = scale beta (q . k) v. */
int DECODE(void) {
  static float query[HEADS * DIM], key[HEADS * DIM], value[HEADS * DIM], decay[HEADS * DIM], beta[HEADS];
  static float output[HEADS * DIM], state[HEADS * DIM * DIM];
  for (int i = 0; i < HEADS * DIM; i++) {
    query[i] = (float)(i % 7) - 3;
    key[i] = (float)(i % 5) / 8;
    value[i] = (float)(i % 11) - 5;
    decay[i] = 0.5f;
  }
  for (int h = 0; h < HEADS; h++) beta[h] = 0.25f * (float)(h + 1);

  sluice_context_options options;
  sluice_context_options_init(&options);
  options.workers = 2;
  sluice_context *context;
  if (sluice_context_create(&options, &context) != SLUICE_OK) {
    fprintf(stderr, "%s\n", sluice_error_message(NULL));
    return 1;
  }
  sluice_gated_delta_rule_args args;
  sluice_gated_delta_rule_args_init(&args);
  args.rule = SLUICE_KDA;
  args.scale = 2;
  args.query = view(query, DIM);
  args.key = view(key, DIM);
  args.value = view(value, DIM);
  args.gate = view(decay, DIM);
  sluice_tensor per_head = {beta, SLUICE_F32, 3, {1, HEADS, 1}, {HEADS, 1, 1}};
  args.beta = per_head;
  args.output = view(output, DIM);
  sluice_tensor final_state = {state, SLUICE_F32, 4, {1, HEADS, DIM, DIM}, {HEADS * DIM * DIM, DIM * DIM, DIM, 1}};
  args.final_state = final_state;
  const sluice_status status = sluice_gated_delta_rule(context, &args);
  if (status != SLUICE_OK) fprintf(stderr, "%s\n", sluice_error_message(context));
  sluice_context_destroy(context);
  if (status != SLUICE_OK) return 1;

  for (int h = 0; h < HEADS; h++) {
    float dot = 0;
    for (int c = 0; c < DIM; c++) dot += query[h * DIM + c] * key[h * DIM + c];
    for (int c = 0; c < DIM; c++) {
      const float expected = args.scale * beta[h] * dot * value[h * DIM + c], got = output[h * DIM + c];
      if (!(fabsf(got - expected) <= 1e-4f * (1 + fabsf(expected)))) {
        fprintf(stderr, "head %d, channel %d: expected %g, got %g\n", h, c, (double)expected, (double)got);
        return 1;
      }
    }
  }
  return 0;
}
