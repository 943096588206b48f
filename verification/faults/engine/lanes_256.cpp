// Campaigns with 256 lanes, compiled for processors with AVX2 (CMakeLists.txt).
#include "sweep.hpp"

namespace faults {

Effort run_256(const Campaign& campaign) { return Sweep<256>(campaign).run(); }

}  // namespace faults
