// Campaigns with 256 lanes, for processors with AVX2.
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
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#include "sweep.hpp"

namespace faults {

Effort run_256(const Campaign& campaign) { return Sweep<256>(campaign).run(); }

}  // namespace faults

#ifdef __clang__
#pragma clang attribute pop
#endif
