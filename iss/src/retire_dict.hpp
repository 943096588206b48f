// Retirement records as Python dictionaries; only effects that happened have a key.
#pragma once

#include <nanobind/nanobind.h>

#include "retire.hpp"

namespace lutra {

inline nanobind::bytes to_bytes(const Vec& v) {
  return nanobind::bytes(reinterpret_cast<const char*>(v.data()), v.size());
}

// Codes are those of the ISA tables; values are 16 bytes.
inline nanobind::dict to_dict(const Retire& r) {
  nanobind::dict d;
  d["cycle"] = r.cycle;
  d["pc"] = r.pc;
  d["insn"] = r.insn;
  if (r.trap) d["trap"] = r.trap;
  if (r.key_en) d["key"] = r.key_address;
  if (r.data_en) d["data"] = r.data_address;
  if (r.rd_en) d["rd"] = nanobind::make_tuple(r.rd, to_bytes(r.rd_value));
  if (r.partner_en) d["partner"] = nanobind::make_tuple(r.rd + 1, to_bytes(r.partner_value));
  if (r.hold_en) d["hold"] = to_bytes(r.hold_value);
  if (r.ctr_en) d["ctr"] = to_bytes(r.ctr_value);
  if (r.store_en)
    d["store"] = nanobind::make_tuple(r.store_space, r.store_address, r.store_lanes, to_bytes(r.store_value));
  nanobind::dict ar;
  for (std::size_t i = 0; i < r.ar_value.size(); ++i)
    if ((r.ar_mask >> i) & 1) ar[nanobind::int_(i)] = r.ar_value[i];
  if (r.ar_mask) d["ar"] = ar;
  if (r.step_en) d["step"] = nanobind::make_tuple(r.config_ar, r.config_n);
  if (r.window_en) d["window"] = nanobind::make_tuple(r.config_ar, r.config_n, r.config_e);
  if (r.width_en) d["width"] = r.config_n;
  if (r.flag_en) d["flag"] = r.flag;
  nanobind::dict contexts;
  for (std::size_t i = 0; i < r.context_state.size(); ++i)
    if ((r.context_mask >> i) & 1)
      contexts[nanobind::int_(i)] = nanobind::make_tuple(to_bytes(r.context_state[i]), to_bytes(r.context_buffer[i]),
                                                         to_bytes(r.context_lfsr[i]));
  if (r.context_mask) d["contexts"] = contexts;
  if (r.loop_depth) d["loop"] = nanobind::make_tuple(r.loop_depth, r.loop_remaining);
  if (r.call_depth) d["calls"] = r.call_depth;
  if (r.notify_en) d["notify"] = r.notify;
  if (r.halt) d["halt"] = true;
  if (r.wait) d["wait"] = true;
  return d;
}

}  // namespace lutra
