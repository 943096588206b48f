// How many cycles ago each register had its retired value.
#include "retired_registers.hpp"

namespace lutra {

namespace {

// Takes over what a record says of a field that several stages write. One without a line here is known from no record.
template <auto Field>
void follow(Registers&, const Retire&) = delete;

template <>
void follow<&Registers::ar>(Registers& r, const Retire& record) {
  for (std::size_t i = 0; i < r.ar.size(); ++i)
    if ((record.ar_mask >> i) & 1) r.ar[i] = record.ar_value[i];
}

template <>
void follow<&Registers::ctr>(Registers& r, const Retire& record) {
  if (record.ctr_en) r.ctr = record.ctr_value;
  if (record.rd_en && record.rd == static_cast<std::uint8_t>(VecCode::CTR)) r.ctr = record.rd_value;
}

}  // namespace

void RetiredRegisters::clocked() {
  const Registers now = core_.registers();
  if (past_.begins) {
    past_.cycles.fill(now);
    past_.followed = now;
    past_.begins = false;
  }
  past_.newest = (past_.newest + 1) % past_.cycles.size();
  past_.cycles[past_.newest] = now;
}

void RetiredRegisters::retired(const Retire& record) {
  each_written([&]<auto Field>(const auto&... stages) {
    if constexpr (sizeof...(stages) > 1) follow<Field>(past_.followed, record);
  });
}

Registers RetiredRegisters::registers() const {
  if (past_.begins || core_.state() != CoreState::Running) return core_.registers();
  const std::size_t mode = static_cast<std::size_t>(rounds_) - 1;
  Registers r;
  each_written([&]<auto Field>(const auto&... stages) {
    if constexpr (sizeof...(stages) > 1)
      r.*Field = past_.followed.*Field;
    else
      r.*Field = ago(kStageWB[mode] - (stages[mode], ...)).*Field;
  });
  return r;
}

}  // namespace lutra
