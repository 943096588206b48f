// In place of the header of this name in Verilator's writer of waves (CMakeLists.txt has this folder searched first):
// a check that fails throws, where the original ends the process, so that a full disk is an error like any other.
#pragma once

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <stdexcept>

#define FST_FAIL_STRING(text) throw std::runtime_error(text)
#define FST_CHECK(condition) \
  do { \
    if (!(condition)) [[unlikely]] FST_FAIL_STRING("FST_CHECK failed: " #condition); \
  } while (0)
#define FST_CHECK_EQ(a, b) FST_CHECK((a) == (b))
#define FST_CHECK_NE(a, b) FST_CHECK((a) != (b))
#define FST_CHECK_GT(a, b) FST_CHECK((a) > (b))
#define FST_CHECK_GE(a, b) FST_CHECK((a) >= (b))
#define FST_CHECK_LT(a, b) FST_CHECK((a) < (b))
#define FST_CHECK_LE(a, b) FST_CHECK((a) <= (b))
#define FST_DCHECK(condition) FST_CHECK(condition)
#define FST_DCHECK_EQ(a, b) FST_CHECK_EQ(a, b)
#define FST_DCHECK_NE(a, b) FST_CHECK_NE(a, b)
#define FST_DCHECK_GT(a, b) FST_CHECK_GT(a, b)
#define FST_DCHECK_GE(a, b) FST_CHECK_GE(a, b)
#define FST_DCHECK_LT(a, b) FST_CHECK_LT(a, b)
#define FST_DCHECK_LE(a, b) FST_CHECK_LE(a, b)
#define FST_UNREACHABLE std::abort()
