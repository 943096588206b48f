// Campaigns with 512 lanes, compiled for processors with AVX-512 (CMakeLists.txt).
#include "sweep.hpp"

namespace faults {

Effort run_512(const Campaign& campaign) { return Sweep<512>(campaign).run(); }

}  // namespace faults
