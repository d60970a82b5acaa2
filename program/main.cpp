// The `sluice` command.
#include <CLI/CLI.hpp>
#include <iostream>
#include <string>

#include "program/list.h"
#include "program/run.h"
#include "sluice/sluice.h"

#ifdef SLUICE_HAVE_STUDY
#include "runtime/study.h"
#endif

namespace {

CLI::Validator at_least(int least) {
  const auto check = [least](std::string &text) {
    double value = 0;
    const bool good = CLI::detail::lexical_cast(text, value) && value >= least;
    return good ? std::string() : "must be a number >= " + std::to_string(least) + ", is " + text;
  };
  return CLI::Validator(check, "");
}

void add_run(CLI::App &app, sluice::RunOptions &options) {
  app.add_option("FILE", options.files, "Captures (.safetensors)")->required();
  app.add_option("--output", options.output,
                 "Keep output and final_state (decode: step_states too) as safetensors in this file.\n"
                 "For several FILEs, or if it is a folder or ends in /: in this folder, under each FILE's name.\n"
                 "Folders that are missing are made")
      ->type_name("OUT");
  app.add_option("--repeat", options.repeat, "Run each file N times; the time is the shortest")
      ->type_name("N")
      ->check(at_least(1))
      ->capture_default_str();
  app.add_option("--threads", options.threads, "Workers")->type_name("N")->check(at_least(1))->capture_default_str();
  app.add_option("--schedule", options.schedule, "Prefer kernels of this schedule for the op (step, chunk) that has it")
      ->type_name("S");
  app.add_option("--isa", options.isa, "Use no kernel above this ISA: base, avx2, avx512 or neon")->type_name("I");
  app.add_option("--kernel", options.kernel, "Run everything with this kernel (see sluice list)")->type_name("NAME");
  app.add_option_function<std::string>(
         "--layout",
         [&](const std::string &layout) {
           options.layout = layout == "bhtd" ? sluice::Layout::bhtd : sluice::Layout::bthd;
         },
         "Order of axes in memory: bthd (as stored) or bhtd")
      ->type_name("L")
      ->check(CLI::IsMember({"bthd", "bhtd"}).description(""));
  app.add_flag_callback(
      "--inplace", [&] { options.placement = sluice::StatePlacement::in_place; },
      "Update one state in place of writing new ones");
  app.add_option("--tolerance", options.tolerance, "Largest error that passes")
      ->type_name("E")
      ->check(at_least(0))
      ->capture_default_str();
  app.add_flag("--baseline", options.baseline, "Time a plain C++ loop on one thread too, and say how Sluice compares");
  app.add_flag("--json", options.json, "One JSON object a line instead of a table");
  app.footer(
      "The error is the largest difference of a head from its expected values, over the head's largest one.\n"
      "Exit status: 0, 1 if an error is above the tolerance, 2 if a file or an option cannot be used.");
}

}  // namespace

int main(int argc, char **argv) {
#ifdef SLUICE_HAVE_STUDY
  sluice::register_study_kernels();
#endif
  CLI::App app("Gated delta rule kernels for CPUs: run captures, list kernels.", "sluice");
  app.set_version_flag("--version", sluice_version());
  app.require_subcommand(1);

  sluice::RunOptions options;
  CLI::App *run = app.add_subcommand("run", "Run captures, compare with their expected results and time them");
  add_run(*run, options);

  bool json = false;
  CLI::App *list = app.add_subcommand("list", "List the kernels of this build");
  list->add_flag("--json", json, "One JSON object a line instead of a table");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &problem) {
    return app.exit(problem) == 0 ? sluice::exit_ok : sluice::exit_bad_input;
  }
  const int status = list->parsed() ? sluice::list(json, std::cout) : sluice::run(options, std::cout, std::cerr);
  if (!std::cout.flush()) {
    std::cerr << "sluice: standard output cannot be written\n";
    return sluice::exit_bad_input;
  }
  return status;
}
