#include "descriptor.hpp"

namespace lutra::soc {
namespace {

constexpr std::uint32_t kControlBits = LUTRA_DESCRIPTOR__CONTROL__OPERATION_bm | LUTRA_DESCRIPTOR__CONTROL__GATHER_bm |
                                       LUTRA_DESCRIPTOR__CONTROL__SCATTER_bm |
                                       LUTRA_DESCRIPTOR__CONTROL__INLINE_PAYLOAD_bm |
                                       LUTRA_DESCRIPTOR__CONTROL__INTERRUPT_bm | LUTRA_DESCRIPTOR__CONTROL__CONTEXT_bm |
                                       LUTRA_DESCRIPTOR__CONTROL__GENERATION_bm;
constexpr std::uint32_t kExtraBits = LUTRA_DESCRIPTOR__EXTRA__AAD_bm | LUTRA_DESCRIPTOR__EXTRA__TAG_bm;

}  // namespace

Descriptor::Descriptor(const Bytes& bytes_, bool big) : raw(bytes_) {
#define LUTRA_WORD(member) word_at(raw.data() + offsetof(lutra_descriptor_t, member), big)
  const std::uint32_t control = LUTRA_WORD(control), extra = LUTRA_WORD(extra);
  operation = LUTRA_GET(control, LUTRA_DESCRIPTOR__CONTROL__OPERATION);
  gather = control & LUTRA_DESCRIPTOR__CONTROL__GATHER_bm;
  scatter = control & LUTRA_DESCRIPTOR__CONTROL__SCATTER_bm;
  inlined = control & LUTRA_DESCRIPTOR__CONTROL__INLINE_PAYLOAD_bm;
  interrupt = control & LUTRA_DESCRIPTOR__CONTROL__INTERRUPT_bm;
  key = {LUTRA_GET(control, LUTRA_DESCRIPTOR__CONTROL__CONTEXT),
         LUTRA_GET(control, LUTRA_DESCRIPTOR__CONTROL__GENERATION)};
  cookie = LUTRA_WORD(cookie);
  bytes = LUTRA_WORD(length);
  aad = LUTRA_GET(extra, LUTRA_DESCRIPTOR__EXTRA__AAD);
  tag = LUTRA_GET(extra, LUTRA_DESCRIPTOR__EXTRA__TAG);
  destination = joined(LUTRA_WORD(destination_low), LUTRA_WORD(destination_high));
  source = joined(LUTRA_WORD(source_low), LUTRA_WORD(source_high));
  aad_address = joined(LUTRA_WORD(aad_low), LUTRA_WORD(aad_high));
  reserved = (control & ~kControlBits) != 0 || (extra & ~kExtraBits) != 0;
#undef LUTRA_WORD
}

}  // namespace lutra::soc
