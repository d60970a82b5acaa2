// The generator program's two entries, `step` and `chunk`: declare the kernel's arguments, build the algorithm with the
// knobs that the named schedule wants, and apply the schedule.
#include "generators/chunk.h"
#include "generators/step.h"
#include "schedules/registry.h"

namespace {

using namespace Halide;
using namespace sluice::generators;
using sluice::schedules::Machine;
using sluice::schedules::Tuning;

template <typename Algorithm>
class OperatorGenerator : public Generator<OperatorGenerator<Algorithm>> {
  using Base = Generator<OperatorGenerator<Algorithm>>;
  template <typename T>
  using Input = typename Base::template Input<T>;
  template <typename T>
  using Output = typename Base::template Output<T>;
  using Tensor = Input<Buffer<>>;

 public:
  GeneratorParam<Rule> rule{"rule", Rule::kda, {{"gdn", Rule::gdn}, {"kda", Rule::kda}, {"gdn2", Rule::gdn2}}};
  GeneratorParam<int> head_dim{"head_dim", 128};  // 0: any
  GeneratorParam<std::string> schedule{"schedule", ""};
  GeneratorParam<int> chunk_length{"chunk_length", 0};  // 0: what the schedule asks for
  GeneratorParam<std::string> tuning{"tuning", ""};     // name:number pairs for the schedule, e.g. "rows:4,vectors:2"

  void configure() {
    const bool gdn2 = rule == Rule::gdn2;
    query = tensor("query", 5);
    key = tensor("key", 4);
    value = tensor("value", 4);
    gate = tensor("gate", scalar_decay(rule) ? 3 : 4);
    if (gdn2) {
      erase = tensor("erase", 4);
      write = tensor("write", 4);
    } else {
      beta = tensor("beta", 3);
    }
    initial_state = tensor("initial_state", 4);
    scale = this->template add_input<float>("scale");
    l2norm_eps = this->template add_input<float>("l2norm_eps");
    for (size_t n = 0; n < std::size(flags); n++) flags[n] = this->template add_input<int32_t>(flag_names[n]);
    output = this->template add_output<Buffer<>>("output", Float(32), 5);
    final_state = this->template add_output<Buffer<>>("final_state", Float(32), 4);
  }

  void generate() {
    const auto &entry = sluice::schedules::find<Algorithm>(schedule);
    const Target target = this->get_target();
    const Machine machine(target);
    const Tuning parameters(tuning);
    typename Algorithm::Knobs knobs = entry.knobs(machine, parameters);
    if constexpr (std::is_same_v<Algorithm, Chunk>) {
      if (chunk_length > 0) knobs.chunk_length = chunk_length;
    }
    const Extents extents{rule, head_dim, knobs.all_heads, knobs.channel_multiple};
    Algorithm algorithm(arguments(), extents, knobs);
    (*output) = algorithm.output;
    (*final_state) = algorithm.final_state;
    constrain(knobs.all_heads);
    entry.apply(algorithm, machine, parameters);
    parameters.expect_all_used();
  }

 private:
  static constexpr bool one_token = std::is_same_v<Algorithm, Step>;
  static constexpr const char *flag_names[] = {"l2norm",           "gate_is_log",        "key_head_divisor",
                                               "key_head_modulus", "query_head_divisor", "query_head_modulus"};
  Tensor *query = nullptr, *key = nullptr, *value = nullptr, *gate = nullptr, *beta = nullptr, *erase = nullptr,
         *write = nullptr, *initial_state = nullptr;
  Input<float> *scale = nullptr, *l2norm_eps = nullptr;
  Input<int32_t> *flags[6] = {};
  Output<Buffer<>> *output = nullptr, *final_state = nullptr;

  Tensor *tensor(const char *name, int dimensions) {
    return this->template add_input<Buffer<>>(name, Float(32), dimensions);
  }

  Expr key_dim() const { return head_dim > 0 ? Expr(int(head_dim)) : key->dim(0).extent(); }
  Expr value_dim() const { return value->dim(0).extent(); }
  Expr tokens() const { return one_token ? Expr(1) : key->dim(1).extent(); }

  Arguments arguments() const {
    Arguments a;
    a.query = *query, a.key = *key, a.value = *value, a.gate = *gate, a.initial_state = *initial_state;
    if (beta) a.beta = *beta;
    if (erase) a.erase = *erase, a.write = *write;
    a.scale = *scale, a.l2norm_eps = *l2norm_eps, a.l2norm = *flags[0], a.gate_is_log = *flags[1];
    a.key_head_divisor = *flags[2], a.key_head_modulus = *flags[3];
    a.query_head_divisor = *flags[4], a.query_head_modulus = *flags[5];
    a.tokens = tokens(), a.query_group = query->dim(2).extent();
    a.key_dim = key_dim(), a.value_dim = value_dim();
    return a;
  }

  // What the runtime promises of every argument (runtime/kernel.h).
  void constrain(bool all_heads) {
    auto from_zero = [](auto &tensor, int dimension, const Expr &extent) {
      tensor.dim(dimension).set_bounds(0, extent);
    };
    for (Tensor *t : {query, key, value, gate, beta, erase, write, initial_state}) {
      if (!t) continue;
      for (int d = 0; d < t->dimensions(); d++) t->dim(d).set_min(0);
      if (t->dimensions() == 3) t->dim(0).set_stride(Expr());
    }
    for (int d = 0; d < 5; d++) output->dim(d).set_min(0);
    for (int d = 0; d < 4; d++) final_state->dim(d).set_min(0);

    for (Tensor *t : {query, key, erase}) {
      if (t) from_zero(*t, 0, key_dim());
    }
    if (!scalar_decay(rule)) from_zero(*gate, 0, key_dim());
    if (write) from_zero(*write, 0, value_dim());
    from_zero(*output, 0, value_dim());
    from_zero(*initial_state, 0, value_dim());
    from_zero(*final_state, 0, value_dim());
    from_zero(*initial_state, 1, key_dim());
    from_zero(*final_state, 1, key_dim());

    const Expr rows = tokens();
    for (Tensor *t : {query, key, value, erase, write}) {
      if (t && (one_token || t != key)) from_zero(*t, 1, rows);
    }
    from_zero(*gate, scalar_decay(rule) ? 0 : 1, rows);
    if (beta) from_zero(*beta, 0, rows);
    from_zero(*output, 1, rows);
    from_zero(*output, 2, query->dim(2).extent());

    // One state head: the last two dimensions of everything are 1.
    const Expr heads = all_heads ? final_state->dim(2).extent() : Expr(1);
    const Expr batches = all_heads ? final_state->dim(3).extent() : Expr(1);
    for (Tensor *t : {value, gate, beta, erase, write, initial_state}) {
      if (!t) continue;
      from_zero(*t, t->dimensions() - 2, heads);
      from_zero(*t, t->dimensions() - 1, batches);
    }
    for (Tensor *t : {query, key}) {
      if (!all_heads) from_zero(*t, t->dimensions() - 2, heads);
      from_zero(*t, t->dimensions() - 1, batches);
    }
    from_zero(*output, 3, heads);
    from_zero(*output, 4, batches);
    if (!all_heads) {
      from_zero(*final_state, 2, heads);
      from_zero(*final_state, 3, batches);
    }
  }
};

using StepGenerator = OperatorGenerator<Step>;
using ChunkGenerator = OperatorGenerator<Chunk>;

}  // namespace

HALIDE_REGISTER_GENERATOR(StepGenerator, step)
HALIDE_REGISTER_GENERATOR(ChunkGenerator, chunk)
