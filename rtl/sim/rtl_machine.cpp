// RtlMachine over the two Verilated classes, one for each ROUNDS_PER_INSTR.
#include "rtl_machine.hpp"

#include <verilated.h>
#include <verilated_fst_c.h>

#include <stdexcept>

#include "Vlutra_r1.h"
#include "Vlutra_r2.h"
#include "retire_bits.hpp"

namespace lutra {

namespace {

static_assert(sizeof(Vlutra_r1::retire_o) == 4 * kRetireWords && sizeof(Vlutra_r2::retire_o) == 4 * kRetireWords,
              "retire_t has changed");

// Members of T, the Verilated lutra_core, are its ports.
template <class T>
class Verilated final : public RtlMachine {
 public:
  Verilated() : context_(std::make_unique<VerilatedContext>()) {
    context_->traceEverOn(true);
    top_ = std::make_unique<T>(context_.get(), "lutra_core");
    reset();
  }
  ~Verilated() override {
    trace_close();
    top_->final();
  }

  void reset() override {
    top_->host_req_i = 0;
    top_->start_i = 0;
    top_->resume_i = 0;
    top_->irq_clear_i = 0;
    top_->clk_i = 0;
    top_->rst_ni = 1;
    top_->eval();
    top_->rst_ni = 0;  // asynchronous: its falling edge clears, before any clock
    top_->eval();
    clock();
    top_->rst_ni = 1;
    top_->eval();
  }

  void write_row(Space space, std::uint16_t row, const Vec& value) override {
    vec_to_bits(top_->host_wdata_i.data(), value);
    request(space, row, true);
  }

  Vec read_row(Space space, std::uint16_t row) override {
    request(space, row, false);
    return bits_to_vec(top_->host_rdata_o.data());
  }

  void write_program(std::uint16_t index, std::uint64_t word) override {
    top_->host_wdata_i[0] = static_cast<std::uint32_t>(word);
    top_->host_wdata_i[1] = static_cast<std::uint32_t>(word >> 32);
    request(Space::Program, index, true);
  }

  std::uint64_t read_program(std::uint16_t index) override {
    request(Space::Program, index, false);
    return std::uint64_t{top_->host_rdata_o[1]} << 32 | top_->host_rdata_o[0];
  }

  void start(std::uint16_t pc) override {
    top_->entry_i = pc;
    pulse(top_->start_i);
  }
  void resume() override { pulse(top_->resume_i); }
  void clear_irq() override { pulse(top_->irq_clear_i); }

  bool step(Retire& record) override {
    const bool retired = top_->retire_valid_o;
    if (retired) unpack_retire(top_->retire_o.data(), record);
    clock();
    return retired;
  }

  CoreState state() const override { return static_cast<CoreState>(top_->state_o); }
  Trap trap() const override { return static_cast<Trap>(top_->trap_o); }
  std::uint16_t pc() const override { return top_->pc_o; }
  std::uint8_t notified() const override { return top_->notify_o; }
  bool irq() const override { return top_->irq_o; }
  std::uint64_t cycles() const override { return top_->cycles_o; }
  std::uint64_t instructions() const override { return top_->instructions_o; }
  std::vector<std::uint64_t> stalls() const override {
    std::vector<std::uint64_t> out(kStallCauses);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = top_->stalls_o[i];
    return out;
  }

  void trace(const std::string& path) override {
    trace_close();
    fst_ = std::make_unique<VerilatedFstC>();
    top_->trace(fst_.get(), 99);
    fst_->open(path.c_str());
    if (!fst_->isOpen()) {
      fst_.reset();
      throw std::runtime_error("cannot write " + path);
    }
  }

  void trace_close() override {
    if (fst_) fst_->close();
    fst_.reset();
  }

 private:
  // From the state behind one rising edge to that behind the next. The model is settled in between, so that outputs
  // are those of the cycle at hand.
  void clock() {
    top_->clk_i = 1;
    top_->eval();
    dump();
    top_->clk_i = 0;
    top_->eval();
    dump();
  }

  void dump() {
    context_->timeInc(1);
    if (fst_) fst_->dump(context_->time());
  }

  void pulse(CData& port) {
    port = 1;
    clock();
    port = 0;
    top_->eval();
  }

  // The core yields in a few cycles if it ever does: no program uses a data memory without end.
  void request(Space space, std::uint16_t row, bool write) {
    constexpr int kPatience = 1 << 20;
    top_->host_req_i = 1;
    top_->host_we_i = write;
    top_->host_space_i = static_cast<CData>(space);
    top_->host_row_i = row;
    top_->eval();
    for (int i = 0; !top_->host_gnt_o; ++i) {
      if (i == kPatience) {
        top_->host_req_i = 0;
        throw std::logic_error("the core does not grant the host's access");
      }
      clock();
    }
    clock();
    top_->host_req_i = 0;
    top_->eval();
  }

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<T> top_;
  std::unique_ptr<VerilatedFstC> fst_;
};

}  // namespace

std::unique_ptr<RtlMachine> RtlMachine::make(int rounds_per_instr) {
  if (rounds_per_instr == 1) return std::make_unique<Verilated<Vlutra_r1>>();
  if (rounds_per_instr == 2) return std::make_unique<Verilated<Vlutra_r2>>();
  throw std::invalid_argument("rounds per instruction must be 1 or 2");
}

}  // namespace lutra
