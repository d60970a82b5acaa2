#include "runtime/kernel_call.h"

namespace sluice {

namespace {

constexpr std::int64_t kFloat = sizeof(float);

std::int32_t narrow(std::int64_t x) { return static_cast<std::int32_t>(x); }

std::int64_t state_offset(const View &view, const Block &block) {
  return block.batch * view.stride[0] + block.head * view.stride[1] + block.column;
}

}  // namespace

// Values have been checked to fit 32 bits, except the strides of axes with one element, which mean nothing.
template <int count>
void KernelCall::describe(Buffer &buffer, const Axis (&axes)[count]) {
  static_assert(count <= kMostDimensions);
  buffer.raw = {};
  buffer.raw.type = halide_type_t(halide_type_float, 32);
  buffer.raw.dimensions = count;
  buffer.raw.dim = buffer.dimensions;
  for (int n = 0; n < count; n++) {
    const bool walked = axes[n].extent > 1 || n == 0;
    buffer.dimensions[n] = halide_dimension_t(0, narrow(axes[n].extent), walked ? narrow(axes[n].stride) : 0);
  }
}

KernelCall::TokenTensor &KernelCall::add(const View &view, const HeadMap *map, std::int64_t head_stride, bool by_column,
                                         std::int64_t tokens) {
  TokenTensor &tensor = tensors_[tensor_count_++];
  tensor.view = &view, tensor.map = map, tensor.head_stride = head_stride, tensor.by_column = by_column;
  tensor.step_bytes = tokens * view.stride[2] * kFloat;
  return tensor;
}

KernelCall::KernelCall(const Problem &problem, const KernelRow &row, std::int64_t tokens, bool all_heads,
                       const View &source, const View &state, Worker &worker)
    : row_(row), worker_(worker), user_context_(&worker), source_view_(source), state_view_(state) {
  const Problem &p = problem;
  const std::int64_t batches = all_heads ? p.batches : 1, heads = all_heads ? p.state_heads : 1;
  const std::int64_t key_heads = all_heads ? p.key_heads : 1;
  const std::int64_t query_heads = all_heads ? p.query_head.modulus : 1;
  void **argument = arguments_;
  const auto pass = [&argument](const void *value) { *argument++ = const_cast<void *>(value); };
  pass(&user_context_);

  const Axis channels{p.key_dim, 1}, columns{p.value_dim, 1};
  const Axis group{p.query_group, p.query_group_stride}, output_group{p.query_group, p.output_group_stride};
  const auto rows = [&](const View &view) { return Axis{tokens, view.stride[2]}; };
  const auto by_head = [&](const View &view) { return Axis{heads, view.stride[1]}; };
  const auto by_batch = [&](const View &view) { return Axis{batches, view.stride[0]}; };

  Buffer &query = add(p.query, &p.query_head, p.query_head_stride, false, tokens).buffer;
  describe(query, {channels, rows(p.query), group, {query_heads, p.query_head_stride}, by_batch(p.query)});
  pass(&query.raw);
  Buffer &key = add(p.key, &p.key_head, p.key.stride[1], false, tokens).buffer;
  describe(key, {channels, rows(p.key), {key_heads, p.key.stride[1]}, by_batch(p.key)});
  pass(&key.raw);

  // One per state head: with channels or columns, or one number per token.
  const auto pass_vectors = [&](const View &view, const Axis &inner, bool by_column) {
    Buffer &buffer = add(view, nullptr, view.stride[1], by_column, tokens).buffer;
    describe(buffer, {inner, rows(view), by_head(view), by_batch(view)});
    pass(&buffer.raw);
  };
  const auto pass_numbers = [&](const View &view) {
    Buffer &buffer = add(view, nullptr, view.stride[1], false, tokens).buffer;
    describe(buffer, {rows(view), by_head(view), by_batch(view)});
    pass(&buffer.raw);
  };
  pass_vectors(p.value, columns, true);
  p.rule == Rule::gdn ? pass_numbers(p.gate) : pass_vectors(p.gate, channels, false);
  if (p.rule == Rule::gdn2) {
    pass_vectors(p.erase, channels, false);
    pass_vectors(p.write, columns, true);
  } else {
    pass_numbers(p.beta);
  }

  const auto describe_state = [&](Buffer &buffer, const View &view) {
    describe(buffer, {columns, {p.key_dim, view.stride[2]}, {heads, view.stride[1]}, {batches, view.stride[0]}});
  };
  describe_state(source_, source);
  describe_state(state_, state);
  pass(&source_.raw);
  pass(&p.scale);
  pass(&p.l2norm_eps);
  const std::int32_t switches[6] = {
      p.l2norm ? 1 : 0,
      p.gate_is_log ? 1 : 0,
      all_heads ? narrow(p.key_head.divisor) : 1,
      all_heads ? narrow(p.key_head.modulus) : 1,
      all_heads ? narrow(p.query_head.divisor) : 1,
      all_heads ? narrow(p.query_head.modulus) : 1,
  };
  for (int n = 0; n < 6; n++) {
    switches_[n] = switches[n];
    pass(&switches_[n]);
  }

  Buffer &output = add(p.output, nullptr, p.output_head_stride, true, tokens).buffer;
  describe(output, {columns, rows(p.output), output_group, {heads, p.output_head_stride}, by_batch(p.output)});
  pass(&output.raw);
  pass(&state_.raw);
  columns_ = p.value_dim;

  for (int n = 0; n < tensor_count_; n++) {
    TokenTensor &tensor = tensors_[n];
    const halide_dimension_t *const dimensions = tensor.buffer.dimensions;
    const int rank = tensor.buffer.raw.dimensions;
    tensor.rows.row_bytes = rank > 3 ? dimensions[0].extent * kFloat : kFloat;
    tensor.rows.rows = tokens, tensor.rows.row_stride = tensor.view->stride[2] * kFloat;
    if (rank < 5) continue;
    tensor.rows.groups = dimensions[2].extent, tensor.rows.group_stride = dimensions[2].stride * kFloat;
  }
}

void KernelCall::set_columns(std::int64_t columns) {
  if (columns == columns_) return;
  columns_ = columns;
  for (Buffer *buffer : {&source_, &state_}) buffer->dimensions[0].extent = narrow(columns);
  for (int n = 0; n < tensor_count_; n++) {
    if (!tensors_[n].by_column) continue;
    tensors_[n].buffer.dimensions[0].extent = narrow(columns);
    tensors_[n].rows.row_bytes = columns * kFloat;
  }
}

float *KernelCall::address(const TokenTensor &tensor, const Block &block, std::int64_t first_token) {
  const std::int64_t head = tensor.map == nullptr ? block.head : (*tensor.map)(block.head);
  return tensor.view->data + block.batch * tensor.view->stride[0] + head * tensor.head_stride +
         first_token * tensor.view->stride[2] + (tensor.by_column ? block.column : 0);
}

void KernelCall::place(const Block &block, std::int64_t first_token, const float *source, float *state) {
  set_columns(block.columns);
  for (int n = 0; n < tensor_count_; n++) {
    tensors_[n].buffer.raw.host = reinterpret_cast<std::uint8_t *>(address(tensors_[n], block, first_token));
  }
  source_.raw.host = reinterpret_cast<std::uint8_t *>(const_cast<float *>(source) + state_offset(source_view_, block));
  source_.raw.dim = source_.dimensions;
  state_.raw.host = reinterpret_cast<std::uint8_t *>(state + state_offset(state_view_, block));
}

void KernelCall::plan(const TokenTensor &tensor, const void *base) const {
  PrefetchRange range = tensor.rows;
  range.base = static_cast<const char *>(base);
  worker_.prefetcher.add(range);
}

int KernelCall::run(std::int64_t calls, const Ahead *ahead) {
  Prefetcher &prefetcher = worker_.prefetcher;
  for (std::int64_t n = 0; n < calls; n++) {
    prefetcher.restart(requests_);
    if (fetches() && n + 1 < calls) {
      for (int t = 0; t < tensor_count_; t++) plan(tensors_[t], tensors_[t].buffer.raw.host + tensors_[t].step_bytes);
    } else if (fetches() && ahead != nullptr) {
      const KernelCall &next = *ahead->call;
      for (int t = 0; t < next.tensor_count_; t++) {
        plan(next.tensors_[t], address(next.tensors_[t], ahead->block, ahead->first_token));
      }
    }
    const int code = row_.function(arguments_);
    worker_.release_all();
    if (code != 0) return code;
    requests_ = prefetcher.requests();
    if (n == 0 && calls > 1) {
      source_.raw.host = state_.raw.host;
      source_.raw.dim = state_.dimensions;
    }
    for (int t = 0; t < tensor_count_; t++) tensors_[t].buffer.raw.host += tensors_[t].step_bytes;
  }
  return 0;
}

}  // namespace sluice
