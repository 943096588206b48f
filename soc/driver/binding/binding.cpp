// The Python modules _driver and _driver_swapped: the driver on a device that is a Python object.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <tuple>
#include <vector>

#include "host.hpp"
#include "lutra_loader.h"

using namespace nanobind::literals;

namespace lutra::driver {
namespace {

Done tuple(const lutra_done& d) { return {d.cookie, d.result, d.bytes, d.cycles}; }

lutra_job job_of(const nb::bytes& bytes) {
  lutra_job job;
  if (bytes.size() != sizeof job) throw nb::value_error("a job has 64 bytes");
  std::memcpy(&job, bytes.data(), sizeof job);
  return job;
}

nb::bytes make_job(std::uint32_t control, std::uint32_t bytes, std::uint64_t source, std::uint64_t destination,
                   const nb::bytes& iv, std::uint64_t aad, std::uint32_t aad_bytes, std::uint32_t tag,
                   const nb::bytes& payload, const nb::bytes& inline_key, std::uint32_t cookie) {
  lutra_job job;
  std::uint32_t row[4] = {};
  std::memcpy(row, iv.data(), std::min(iv.size(), kRow));
  lutra_job_begin(&job, control, bytes, cookie);
  lutra_job_iv(&job, row);
  lutra_job_move(&job, source, destination);
  lutra_job_aad(&job, aad, aad_bytes, tag);
  if (payload.size() > 24) throw nb::value_error("an inline payload has at most 24 bytes");
  if (payload.size() != 0)
    lutra_job_payload(&job, static_cast<const std::uint8_t*>(payload.data()),
                      static_cast<std::uint32_t>(payload.size()));
  if (inline_key.size() == kRow) lutra_job_inline_key(&job, static_cast<const std::uint8_t*>(inline_key.data()));
  return nb::bytes(&job, sizeof job);
}

// The core's port for the loader, as _loader.Loader takes it.
class Core {
 public:
  Core(Ring& ring, std::uint8_t rounds, std::uint8_t contexts, std::uint16_t program_words, std::uint16_t memory_rows)
      : ring_(ring) {
    core_ = {};
    core_.rounds = rounds;
    core_.contexts = contexts;
    core_.program_words = program_words;
    core_.memory_rows = memory_rows;
    lutra_soc_core(ring.get(), &core_);
  }
  void check(int result) {
    ring_.host().checked(0);
    if (result != 0) throw std::runtime_error(lutra_soc_text(static_cast<lutra_soc_result>(result)));
  }
  lutra_core core_;

 private:
  Ring& ring_;
};

void bind_ring(nb::module_& m) {
  nb::class_<Ring>(m, "Ring", "A ring of the driver in the host's memory. Results are numbers; see `text`.")
      .def(nb::init<Host&, std::uint32_t, std::uint64_t, std::uint32_t, std::uint8_t, std::uint8_t>(), "host"_a,
           "number"_a, "address"_a, "log2"_a = 4, "first_context"_a = 0, "contexts"_a = 12, nb::keep_alive<1, 2>())
      .def("open", &Ring::open)
      .def("close", [](Ring& r) { return int{r.host().checked(lutra_ring_close(r.get()))}; })
      .def(
          "set_interrupts",
          [](Ring& r, std::uint32_t count, std::uint32_t timer) {
            lutra_set_interrupts(r.get(), count, timer);
            r.host().checked(0);
          },
          "count"_a, "timer"_a)
      .def("acknowledge", [](Ring& r) { lutra_acknowledge(r.get()), r.host().checked(0); })
      .def_prop_ro("free", [](Ring& r) { return lutra_free(r.get()); })
      .def(
          "submit",
          [](Ring& r, const std::vector<nb::bytes>& jobs) {
            const std::uint32_t free = lutra_free(r.get());
            for (std::uint32_t i = 0; i < jobs.size() && i < free; ++i) *lutra_slot(r.get(), i) = job_of(jobs[i]);
            return int{r.host().checked(lutra_submit(r.get(), static_cast<std::uint32_t>(jobs.size())))};
          },
          "jobs"_a)
      .def(
          "poll",
          [](Ring& r, std::uint32_t n) {
            std::vector<lutra_done> done(n);
            std::uint32_t count = 0;
            const int result = r.host().checked(lutra_poll(r.get(), done.data(), n, &count));
            std::vector<Done> found;
            for (std::uint32_t i = 0; i < count; ++i) found.push_back(tuple(done[i]));
            return std::pair(result, found);
          },
          "n"_a)
      .def(
          "take",
          [](Ring& r, std::uint32_t n) {
            std::uint32_t count = 0;
            const int result = r.host().checked(lutra_take(r.get(), n, &count));
            return std::pair(result, count);
          },
          "n"_a)
      .def("wait", [](Ring& r) { return int{r.host().checked(lutra_wait(r.get()))}; })
      .def("abort", [](Ring& r) { return int{r.host().checked(lutra_abort(r.get()))}; })
      .def(
          "crypt",
          [](Ring& r, const nb::bytes& job) {
            lutra_done done{};
            const lutra_job copy = job_of(job);
            const int result = r.host().checked(lutra_crypt(r.get(), &copy, &done));
            return std::pair(result, tuple(done));
          },
          "job"_a)
      .def(
          "crypt_verified",
          [](Ring& r, const nb::bytes& job, std::uint32_t verify) {
            lutra_done done{};
            const lutra_job copy = job_of(job);
            const int result = r.host().checked(lutra_crypt_verified(r.get(), &copy, verify, &done));
            return std::pair(result, tuple(done));
          },
          "job"_a, "verify"_a)
      .def(
          "key_set",
          [](Ring& r, std::uint32_t operation, const nb::bytes& key) {
            std::uint32_t handle = 0;
            const int result =
                r.host().checked(lutra_key_set(r.get(), operation, static_cast<const std::uint8_t*>(key.data()),
                                               static_cast<std::uint32_t>(key.size()), &handle));
            return std::pair(result, handle);
          },
          "operation"_a, "key"_a)
      .def(
          "key_job",
          [](Ring& r, std::uint32_t operation, const nb::bytes& key) {
            std::uint32_t handle = 0;
            lutra_job job{};
            const int result =
                r.host().checked(lutra_key_job(r.get(), &job, operation, static_cast<const std::uint8_t*>(key.data()),
                                               static_cast<std::uint32_t>(key.size()), &handle));
            return std::tuple(result, handle, nb::bytes(&job, sizeof job));
          },
          "operation"_a, "key"_a)
      .def(
          "key_drop",
          [](Ring& r, std::uint32_t operation, std::uint32_t handle) {
            return int{r.host().checked(lutra_key_drop(r.get(), operation, handle))};
          },
          "operation"_a, "handle"_a)
      .def("keys_forget", [](Ring& r) { lutra_keys_forget(r.get()); });
}

}  // namespace
}  // namespace lutra::driver

NB_MODULE(LUTRA_MODULE, m) {
  using namespace lutra::driver;
  namespace nb = nanobind;
  m.doc() = "The driver (lutra_soc.h); the device is an object with its registers, memory is a buffer from address 0.";
  m.def("text", [](int result) { return lutra_soc_text(static_cast<lutra_soc_result>(result)); }, "result"_a);
  nb::dict results;
#define LUTRA_SOC_STATUS(name, value, text) results[#name] = static_cast<int>(value);
  LUTRA_STATUS_CODES(LUTRA_SOC_STATUS)
  LUTRA_SOC_ERRORS(LUTRA_SOC_STATUS)
#undef LUTRA_SOC_STATUS
  m.attr("RESULTS") = results;
  m.def("ring_bytes", [](std::uint32_t log2) { return LUTRA_RING_BYTES(log2); }, "log2"_a);
  m.def("control", &lutra_control, "operation"_a, "handle"_a = 0);
  m.def("context", &lutra_context, "context"_a);
  m.def("job", &make_job, "control"_a, "bytes"_a, "source"_a = 0, "destination"_a = 0, "iv"_a = nb::bytes("", 0),
        "aad"_a = 0, "aad_bytes"_a = 0, "tag"_a = 0, "payload"_a = nb::bytes("", 0), "inline_key"_a = nb::bytes("", 0),
        "cookie"_a = 0, "The 64 bytes of a job, by the functions of lutra_job.h.");
  m.def(
      "element",
      [](std::uint64_t address, std::uint32_t bytes, bool last) {
        std::uint32_t word[4] = {};
        lutra_element(word, address, bytes, last);
        return nb::bytes(word, sizeof word);
      },
      "address"_a, "bytes"_a, "last"_a);
  nb::class_<Host>(m, "Host",
                   "The driver's device. patience: in cycles; turn: cycles that it runs in a turn of a wait.")
      .def(nb::init<nb::object, Buffer, std::optional<nb::object>, std::optional<nb::object>, std::uint32_t,
                    std::uint32_t>(),
           nb::sig("def __init__(self, device: object, memory: bytearray, clean: object | None = None, "
                   "invalidate: object | None = None, patience: int = 1000000, turn: int = 500) -> None"),
           "device"_a, "memory"_a, "clean"_a = nb::none(), "invalidate"_a = nb::none(), "patience"_a = 1'000'000,
           "turn"_a = 500)
      .def_prop_ro("now", &Host::now, "Ticks that have passed.")
      .def("open", [](Host& h) { return int{h.checked(lutra_soc_open(h.soc()))}; })
      .def(
          "set_window",
          [](Host& h, std::uint32_t ring, std::uint64_t base, std::uint64_t limit) {
            return int{h.checked(lutra_soc_set_window(h.soc(), ring, base, limit))};
          },
          "ring"_a, "base"_a, "limit"_a)
      .def(
          "set_operations",
          [](Host& h, const Table& table, std::uint16_t stream_reset) {
            return set_operations(h, h.soc(), table, stream_reset);
          },
          "table"_a, "stream_reset"_a)
      .def("start", [](Host& h) { return int{h.checked(lutra_soc_start(h.soc()))}; })
      .def("stop", [](Host& h) { return int{h.checked(lutra_soc_stop(h.soc()))}; })
      .def("wipe", [](Host& h) { return int{h.checked(lutra_soc_wipe(h.soc()))}; })
      .def("escalate", [](Host& h) { return int{h.checked(lutra_soc_escalate(h.soc()))}; })
      .def("lock", [](Host& h) { lutra_soc_lock(h.soc()), h.checked(0); })
      .def("reset", [](Host& h) { return int{h.checked(lutra_soc_reset(h.soc()))}; });
  bind_ring(m);
#ifndef LUTRA_SOC_SWAP
  bind_cluster(m);
#endif
  nb::class_<Core>(m, "Core", "The core through raw operations of a ring, for the loader.")
      .def(nb::init<Ring&, std::uint8_t, std::uint8_t, std::uint16_t, std::uint16_t>(), "ring"_a, "rounds"_a,
           "contexts"_a, "program_words"_a, "memory_rows"_a, nb::keep_alive<1, 2>())
      .def_prop_ro("rounds", [](const Core& c) { return c.core_.rounds; })
      .def_prop_ro("contexts", [](const Core& c) { return c.core_.contexts; })
      .def_prop_ro("program_words", [](const Core& c) { return c.core_.program_words; })
      .def_prop_ro("memory_rows", [](const Core& c) { return c.core_.memory_rows; })
      .def("reset", [](Core& c) { c.check(c.core_.reset(c.core_.context)); })
      .def(
          "write",
          [](Core& c, std::uint8_t space, std::uint16_t row, const nb::bytes& bytes) {
            if (bytes.size() != kRow) throw nb::value_error("a row has 16 bytes");
            c.check(c.core_.write(c.core_.context, space, row, static_cast<const std::uint8_t*>(bytes.data())));
          },
          "space"_a, "row"_a, "bytes"_a)
      .def(
          "read",
          [](Core& c, std::uint8_t space, std::uint16_t row) {
            std::uint8_t bytes[kRow];
            c.check(c.core_.read(c.core_.context, space, row, bytes));
            return nb::bytes(bytes, sizeof bytes);
          },
          "space"_a, "row"_a)
      .def(
          "run",
          [](Core& c, std::uint16_t entry, std::uint32_t max_cycles) {
            lutra_stop stop{};
            c.check(c.core_.run(c.core_.context, entry, max_cycles, &stop));
            return std::tuple(stop.state, stop.trap, stop.pc, stop.cycles);
          },
          "entry"_a, "max_cycles"_a);
}
