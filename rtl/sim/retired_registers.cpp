// Which register is as it was how many cycles ago.
#include "retired_registers.hpp"

namespace lutra {

void RetiredRegisters::clocked() {
  const Registers now = core_.registers();
  if (past_.begins) {
    past_.cycles.fill(now);
    past_.ar = now.ar;
    past_.ctr = now.ctr;
    past_.begins = false;
  }
  past_.newest = (past_.newest + 1) % past_.cycles.size();
  past_.cycles[past_.newest] = now;
}

// ar is written by ID, and by PERM from a vector; ctr by PERM, and by WB as a result.
void RetiredRegisters::retired(const Retire& record) {
  for (std::size_t i = 0; i < past_.ar.size(); ++i)
    if ((record.ar_mask >> i) & 1) past_.ar[i] = record.ar_value[i];
  if (record.ctr_en) past_.ctr = record.ctr_value;
  if (record.rd_en && record.rd == static_cast<std::uint8_t>(VecCode::CTR)) past_.ctr = record.rd_value;
}

Registers RetiredRegisters::registers() const {
  if (past_.begins || core_.state() != CoreState::Running) return core_.registers();
  const std::size_t mode = static_cast<std::size_t>(rounds_) - 1;
  const auto written_in = [this, mode](const int (&stage)[2]) -> const Registers& {
    return ago(kStageWB[mode] - stage[mode]);
  };
  Registers r = written_in(kStageWB);
  r.ar = past_.ar;
  r.ctr = past_.ctr;
  r.hold = written_in(kStagePERM).hold;

  const Registers& in_x1 = written_in(kStageX1);
  r.context_lfsr0 = in_x1.context_lfsr0;
  r.context_lfsr1 = in_x1.context_lfsr1;
  r.context_lfsr2 = in_x1.context_lfsr2;
  r.context_lfsr3 = in_x1.context_lfsr3;
  r.context_registers = in_x1.context_registers;
  r.context_buffer = in_x1.context_buffer;

  const Registers& in_id = written_in(kStageID);
  r.ctr_width = in_id.ctr_width;
  r.step = in_id.step;
  r.window_start = in_id.window_start;
  r.window_end = in_id.window_end;
  r.loops = in_id.loops;
  r.loop_start = in_id.loop_start;
  r.loop_end = in_id.loop_end;
  r.loop_remaining = in_id.loop_remaining;
  r.calls = in_id.calls;
  r.call_return = in_id.call_return;
  return r;
}

}  // namespace lutra
