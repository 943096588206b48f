// Campaigns with 512 lanes, for processors with AVX-512.
// The standard library comes first: its functions are shared with code that runs on every processor.
#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "campaign.hpp"

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#else
#pragma GCC target("avx512f")
#endif

#include "sweep.hpp"

namespace faults {

Effort run_512(const Campaign& campaign) { return Sweep<512>(campaign).run(); }

}  // namespace faults

#ifdef __clang__
#pragma clang attribute pop
#endif
