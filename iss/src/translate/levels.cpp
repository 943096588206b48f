// The pieces of all levels of x86-64, where they are built.
#include "translate/piece.hpp"

namespace lutra {

#ifdef LUTRA_TRANSLATES
namespace {

namespace portable {
#include "lutra_stencils_portable.inc"
}
namespace avx2 {
#include "lutra_stencils_avx2.inc"
}
namespace avx512 {
#include "lutra_stencils_avx512.inc"
}

bool always() { return true; }
bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("aes") &&
         __builtin_cpu_supports("pclmul");
}
bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("gfni");
}

constexpr Level kLevels[] = {
    {"avx512", has_avx512, avx512::kPieces, avx512::kConstants},
    {"avx2", has_avx2, avx2::kPieces, avx2::kConstants},
    {"portable", always, portable::kPieces, portable::kConstants},
};

}  // namespace

std::span<const Level> levels() { return kLevels; }
#else
std::span<const Level> levels() { return {}; }
#endif

}  // namespace lutra
