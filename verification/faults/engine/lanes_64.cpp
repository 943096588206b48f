// Campaigns with 64 lanes, on any processor.
#include "sweep.hpp"

namespace faults {

Effort run_64(const Campaign& campaign) { return Sweep<64>(campaign).run(); }

}  // namespace faults
