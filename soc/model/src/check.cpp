// The checks of a descriptor.
#include <algorithm>

#include "message.hpp"

namespace lutra::soc {
namespace {

constexpr std::uint32_t kBlock = 16, kTagBytes = 16;
constexpr std::uint32_t kSpaces = 8;  // codes of the host port

// Of the control word and the lengths, before the operation is known.
Status of_control(const Message& m, const Rules& rules) {
  const Descriptor& d = m.d;
  if (d.reserved) return LUTRA_STATUS_BAD_DESCRIPTOR;
  if (d.is_raw()) {
    if (m.ring != 0 || rules.raw_locked) return LUTRA_STATUS_NOT_PERMITTED;
    return d.inlined || d.tag >= kSpaces ? LUTRA_STATUS_BAD_DESCRIPTOR : LUTRA_STATUS_OK;
  }
  if (d.operation >= rules.operations) return LUTRA_STATUS_BAD_OPERATION;
  return d.inlined && d.gather ? LUTRA_STATUS_BAD_DESCRIPTOR : LUTRA_STATUS_OK;
}

// An inline payload takes the words of the address of associated data, and an inline key does too. A tag that is to be
// checked is behind the payload in memory.
Status of_operation(const Message& m) {
  const Descriptor& d = m.d;
  const Operation& op = m.operation;
  if (op.key_rows() ? d.inlined : op.sets_key() && !d.inlined && d.bytes != 0) return LUTRA_STATUS_BAD_DESCRIPTOR;
  if ((op.inline_key() || op.checks_tag()) && d.inlined) return LUTRA_STATUS_BAD_DESCRIPTOR;
  if ((op.inline_key() || d.inlined) && d.aad != 0) return LUTRA_STATUS_BAD_DESCRIPTOR;
  const std::uint32_t longest = op.sets_key() ? Descriptor::kInlineKeyBytes : Descriptor::kInlineBytes;
  if (op.key_rows() ? d.bytes != Keys::kSavedBytes : (op.sets_key() || d.inlined) && d.bytes > longest)
    return LUTRA_STATUS_BAD_LENGTH;
  if (op.whole_blocks() && d.bytes % kBlock != 0) return LUTRA_STATUS_BAD_LENGTH;
  if (!op.takes_aad() && d.aad != 0) return LUTRA_STATUS_BAD_LENGTH;
  const bool tagged = op.makes_tag() || op.checks_tag();
  return d.tag > kTagBytes || (d.tag != 0) != tagged ? LUTRA_STATUS_BAD_LENGTH : LUTRA_STATUS_OK;
}

Status of_key(const Message& m, const Keys& keys) {
  bool good = true;
  if (m.operation.overwrites())
    good = keys.open(m.d.key.context, m.ring);
  else if (m.operation.uses_key())
    good = keys.serves(m.d.key, m.ring, m.operation.kind());
  return good ? LUTRA_STATUS_OK : LUTRA_STATUS_BAD_KEY;
}

Status of_reserved(const Message& m) {
  const auto* const words = m.d.raw.data() + offsetof(lutra_descriptor_t, reserved);
  const bool zero = std::all_of(words, m.d.raw.data() + m.d.raw.size(), [](std::uint8_t byte) { return byte == 0; });
  return zero || m.d.inlined || m.operation.inline_key() ? LUTRA_STATUS_OK : LUTRA_STATUS_BAD_DESCRIPTOR;
}

}  // namespace

Status check(const Message& m, const Rules& rules) {
  Status status = of_control(m, rules);
  if (m.d.is_raw()) return status;
  if (status == LUTRA_STATUS_OK) status = of_operation(m);
  if (status == LUTRA_STATUS_OK) status = of_key(m, rules.keys);
  if (status == LUTRA_STATUS_OK) status = of_reserved(m);
  return status;
}

}  // namespace lutra::soc
