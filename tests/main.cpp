#include <gtest/gtest.h>

#include "runtime/study.h"

int main(int argc, char **argv) {
  // Before GoogleTest lists the parameterised tests: they come from the kernel table.
  sluice::register_study_kernels();
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
