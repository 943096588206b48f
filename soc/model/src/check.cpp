// The checks of a descriptor.
#include "message.hpp"

namespace lutra::soc {
namespace {

constexpr std::uint32_t kBlock = 16, kTagBytes = 16;

bool contradicts(const Message& m) {
  const Descriptor& d = m.d;
  const bool payload = d.inlined || m.operation.inline_key();
  if (d.reserved || (d.gather && d.inlined)) return true;
  if (m.operation.sets_key() && (!d.inlined || d.scatter)) return true;
  for (std::size_t i = offsetof(lutra_descriptor_t, reserved); i < d.raw.size(); ++i)
    if (!payload && d.raw[i] != 0) return true;
  return false;
}

bool length_is_bad(const Message& m) {
  const Descriptor& d = m.d;
  const Operation& op = m.operation;
  if (d.is_raw()) return d.operation != kRawRun && (d.bytes % kRow != 0 || (d.inlined && d.bytes > Descriptor::kInlineBytes));
  if (op.sets_key()) return d.bytes > Descriptor::kInlineKeyBytes || d.aad != 0 || d.tag != 0;
  const bool tagged = op.makes_tag() || op.checks_tag();
  if (tagged ? d.tag == 0 || d.tag > kTagBytes : d.tag != 0) return true;
  if (d.aad != 0 && (!op.takes_aad() || d.inlined || op.inline_key())) return true;
  if (d.inlined && d.bytes + std::uint64_t{op.checks_tag() ? d.tag : 0} > Descriptor::kInlineBytes) return true;
  return op.whole_blocks() && d.bytes % kBlock != 0;
}

bool key_is_bad(const Message& m, const Keys& keys) {
  if (m.operation.sets_key() || m.operation.inline_key()) return !keys.open(m.d.key.context, m.ring);
  return m.operation.uses_key() && !keys.serves(m.d.key, m.ring, m.operation.kind());
}

// Of strings in one piece; lists are checked element by element.
bool address_is_bad(const Message& m, const Window& window) {
  const Descriptor& d = m.d;
  const Operation& op = m.operation;
  if (d.operation == kRawRun || op.sets_key()) return false;
  const bool reads = d.operation != kRawRead, writes = d.operation != kRawWrite;
  const std::uint64_t in = std::uint64_t{d.bytes} + (op.checks_tag() ? d.tag : 0);
  const std::uint64_t out = (op.mac() ? 0 : std::uint64_t{d.bytes}) + (op.makes_tag() ? d.tag : 0);
  if (reads && !d.inlined && !d.gather && !window.holds(d.source, in)) return true;
  if (writes && !d.scatter && !window.holds(d.destination, out)) return true;
  return !d.is_raw() && !window.holds(d.aad_address, d.aad);
}

}  // namespace

Status check(const Message& m, const Rules& rules) {
  if (contradicts(m)) return LUTRA_STATUS_BAD_DESCRIPTOR;
  if (m.d.is_raw()) {
    if (m.ring != 0 || rules.raw_locked) return LUTRA_STATUS_NOT_PERMITTED;
  } else if (m.d.operation >= rules.operations) {
    return LUTRA_STATUS_BAD_OPERATION;
  }
  if (length_is_bad(m)) return LUTRA_STATUS_BAD_LENGTH;
  if (key_is_bad(m, rules.keys)) return LUTRA_STATUS_BAD_KEY;
  if (address_is_bad(m, rules.window)) return LUTRA_STATUS_BAD_ADDRESS;
  return LUTRA_STATUS_OK;
}

}  // namespace lutra::soc
