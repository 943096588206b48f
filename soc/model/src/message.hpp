// A descriptor in work.
#pragma once

#include <cstdint>

#include "descriptor.hpp"
#include "string.hpp"

namespace lutra::soc {

struct Message {
  unsigned ring = 0;
  Descriptor d;
  Operation operation;
  String source, aad, destination;
  std::uint32_t aad_left = 0, text_left = 0;
  bool issued = false;   // checked
  bool first = true;     // no chunk is in the stream yet
  bool placed = false;   // the last chunk is
  bool running = false;  // a raw run has begun
  unsigned jobs = 0;     // chunks in the stream
  Status status = LUTRA_STATUS_OK;
  std::uint32_t result = 0;  // state, trap and notify of a raw run, in place
  std::uint32_t raw_bytes = 0;
  std::uint64_t cycles = 0;  // of the core
  std::uint64_t time = 0;    // when its last step ends

  bool done() const { return placed && jobs == 0; }
  bool good() const { return status == LUTRA_STATUS_OK; }
  void fail(Status why) {
    if (good()) status = why;
  }
};

// The checks before any work, in the order of docs/soc.md.
struct Rules {
  const Keys& keys;
  std::uint32_t operations;  // valid entries
  bool raw_locked;
};
Status check(const Message& m, const Rules& rules);

}  // namespace lutra::soc
