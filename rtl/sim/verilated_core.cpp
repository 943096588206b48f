// Core over the Verilated classes, one for each ROUNDS_PER_INSTR of the configuration (LUTRA_ROUNDS_1, LUTRA_ROUNDS_2).
#include "verilated_core.hpp"

#include <verilated.h>
#include <verilated_cov.h>
#include <verilated_fst_c.h>

#include <algorithm>
#include <stdexcept>

#ifdef LUTRA_ROUNDS_1
#include "Vlutra_r1.h"
#include "Vlutra_r1_lutra_core.h"
#include "Vlutra_r1_lutra_state.h"
#endif
#ifdef LUTRA_ROUNDS_2
#include "Vlutra_r2.h"
#include "Vlutra_r2_lutra_core.h"
#include "Vlutra_r2_lutra_state.h"
#endif
#include "host.hpp"
#include "perf.hpp"
#include "retire_bits.hpp"
#include "saved.hpp"
#include "srams.hpp"

namespace lutra::verilated {

namespace {

// Names of the module and of the model around it.
const std::string kName = "lutra_core";

// A model of the core with its context.
template <class T>
struct Model {
  std::unique_ptr<VerilatedContext> context = std::make_unique<VerilatedContext>();
  std::unique_ptr<T> top;

  Model() {
    context->traceEverOn(true);
    top = std::make_unique<T>(context.get(), kName.c_str());
  }
};

// The model holds the code-coverage counts, so there are few models and they live on; a machine borrows one.
template <class T>
class Models {
 public:
  static constexpr bool kCounting = VM_COVERAGE;

  static std::shared_ptr<Model<T>> borrow(bool& used) {
    const auto idle = std::find_if(all().begin(), all().end(), [](const auto& m) { return m.use_count() == 1; });
    used = idle != all().end();
    if (used) return *idle;
    auto made = std::make_shared<Model<T>>();
    if (kCounting) all().push_back(made);
    return made;
  }
  static std::vector<std::shared_ptr<Model<T>>>& all() {
    static std::vector<std::shared_ptr<Model<T>>> models;
    return models;
  }
};

// Members of T, the Verilated lutra_core, are its ports.
template <class T>
class Verilated final : public Core {
  static_assert(sizeof(T::retire_o) == sizeof(std::uint32_t) * kRetireWords,
                "retire_t has other words than are unpacked; the number of bits is compared in lutra_retire.sv");

 public:
  explicit Verilated(int rounds) : rounds_(rounds) {
    bool used = false;
    model_ = Models<T>::borrow(used);
    context_ = model_->context.get();
    top_ = model_->top.get();
    memories_ = find_memories(*context_, kName + ("." + kName));
    reset();
    if (used) clear();
  }
  ~Verilated() override {
    try {
      trace_close();
    } catch (const std::runtime_error&) {
      // Whoever wants to know closes the trace before.
    }
    if (!Models<T>::kCounting) top_->final();
  }

  int rounds() const override { return rounds_; }

  void reset() override {
    top_->host_req_i = 0;
    top_->start_i = 0;
    top_->resume_i = 0;
    top_->irq_clear_i = 0;
    top_->alert_clear_i = 0;
    faults_.clear();
    top_->clk_i = 0;
    top_->rst_ni = 1;
    top_->eval();
    top_->rst_ni = 0;  // asynchronous: its falling edge clears, before any clock
    top_->eval();
    edge();
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

  void inject(const Fault& fault) override { faults_.push_back(fault); }
  bool alert() const override { return top_->alert_o; }
  void clear_alert() override { pulse(top_->alert_clear_i); }

  bool clock(Retire& record) override {
    const bool retired = top_->retire_valid_o;
    if (retired) unpack_retire(top_->retire_o.data(), record);
    edge();
    return retired;
  }

  CoreState state() const override { return static_cast<CoreState>(top_->state_o); }
  Trap trap() const override { return static_cast<Trap>(top_->trap_o); }
  std::uint16_t pc() const override { return top_->pc_o; }
  std::uint8_t notified() const override { return top_->notify_o; }
  bool irq() const override { return top_->irq_o; }
  std::uint64_t cycles() const override { return top_->cycles_o; }
  std::uint64_t instructions() const override { return top_->instructions_o; }
  std::uint64_t clocks() const override { return context_->time() / 2; }
  std::vector<std::uint64_t> stalls() const override {
    std::vector<std::uint64_t> out(kStallCauses);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = top_->stalls_o[i];
    return out;
  }

  void add_counts(const Counts& more) override {
    find_perf(*context_, kName + ("." + kName)).add(more);
    top_->eval();
  }

  Registers registers() const override {
    VlWide<kRegistersWords> words;
    top_->lutra_core->u_state->registers(words);
    Registers r;
    unpack_registers(words.data(), r);
    return r;
  }
  const Memories& memories() const override { return memories_; }

  std::vector<std::uint8_t> save() override {
    check_saves();
    std::vector<std::uint8_t> bytes;
#if !VM_COVERAGE
    Saving to(bytes);
    to << *top_;  // and its context, with the time
    std::uint64_t faults = faults_.size();
    to.write(&faults, sizeof faults);
    to.write(faults_.data(), faults_.size() * sizeof(Fault));
    to.flush();
#endif
    return bytes;
  }
  void restore([[maybe_unused]] std::span<const std::uint8_t> saved) override {
    check_saves();
#if !VM_COVERAGE
    Restoring from(saved);
    from >> *top_;
    std::uint64_t faults = 0;
    from.read(&faults, sizeof faults);
    faults_.resize(faults);
    from.read(faults_.data(), faults_.size() * sizeof(Fault));
#endif
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
    if (!fst_) return;
    try {
      fst_->close();
    } catch (const std::exception&) {
      // Its destructor would try once more and end the process, so the object is leaked.
      static_cast<void>(fst_.release());
      throw std::runtime_error("the waves cannot be written to their end: no space is left, or not a regular file");
    }
    fst_.reset();
  }

 private:
  // From the state after one rising edge to that after the next. The model is settled in between, so that outputs
  // are those of the cycle at hand.
  void edge() {
    const bool answers = top_->host_gnt_o && !top_->host_we_i;
    top_->clk_i = 1;
    top_->eval();
    dump();
    if (top_->host_rvalid_o != answers) throw std::logic_error("the core's data does not follow the grant of a read");
    top_->clk_i = 0;
    top_->eval();
    if (!faults_.empty()) flip();
    dump();
  }

  // The faults of this cycle. After the alert there are none: the contexts are cleared.
  void flip() {
    if (top_->alert_o) faults_.clear();
    const auto now = [this](const Fault& fault) { return fault.cycle == top_->cycles_o; };
    for (const Fault& fault : faults_) {
      if (!now(fault)) continue;
      const std::string in = kName + ("." + kName) + ".u_execute.u_stream.gen_context[" +
                             std::to_string(fault.context) + "].gen_context.u_context";
      // The words of the packed struct, s[0] below s[1] and above r1.
      constexpr unsigned kBelow = kContextWords - kLfsrWords;
      EData* words = find_words(*context_, fault.shadow ? in + ".gen_shadow.u_shadow" : in, "kept_q");
      const unsigned at = fault.shadow              ? fault.word
                          : fault.word < kLfsrWords ? kBelow + fault.word
                                                    : kContextWords - 1 - fault.word;
      words[at] ^= fault.mask;
    }
    std::erase_if(faults_, now);
    top_->eval();
  }

  void check_saves() const {
    if (Models<T>::kCounting)
      throw HostError("this core counts what of its code is covered, and is not made to go back");
    if (fst_) throw HostError("waves are being written, and they go on only forwards; close them first");
  }

  // Memories as in a new model.
  void clear() {
    for (const Space space : {Space::Mem0, Space::Mem1, Space::Mem2, Space::Mem3})
      for (int row = 0; row < kMemoryRows; ++row) write_row(space, static_cast<std::uint16_t>(row), Vec{});
    for (int row = 0; row < kTableRows; ++row) write_row(Space::BankBoth, static_cast<std::uint16_t>(row), Vec{});
    for (int word = 0; word < kProgramWords; ++word) write_program(static_cast<std::uint16_t>(word), 0);
  }

  void dump() {
    context_->timeInc(1);
    if (fst_) fst_->dump(context_->time());
  }

  void pulse(CData& port) {
    port = 1;
    edge();
    port = 0;
    top_->eval();
  }

  // The core yields within a few cycles: no program uses a data memory in every cycle forever.
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
      edge();
    }
    edge();
    top_->host_req_i = 0;
    top_->eval();
  }

  int rounds_;
  std::shared_ptr<Model<T>> model_;
  VerilatedContext* context_ = nullptr;
  T* top_ = nullptr;
  Memories memories_{};
  std::vector<Fault> faults_;
  std::unique_ptr<VerilatedFstC> fst_;
};

// Files STEM-N.dat, N from `n` on; returns the next.
template <class T>
int write_models([[maybe_unused]] const std::string& stem, int n) {
#if VM_COVERAGE
  for (const auto& model : Models<T>::all())
    model->context->coveragep()->write((stem + "-" + std::to_string(n++) + ".dat").c_str());
#endif
  return n;
}

}  // namespace

bool counting() { return VM_COVERAGE; }

void write_counts(const std::string& stem) {
  [[maybe_unused]] int n = 0;
#ifdef LUTRA_ROUNDS_1
  n = write_models<Vlutra_r1>(stem, n);
#endif
#ifdef LUTRA_ROUNDS_2
  n = write_models<Vlutra_r2>(stem, n);
#endif
}

std::unique_ptr<Core> make_core(int rounds_per_instr) {
#ifdef LUTRA_ROUNDS_1
  if (rounds_per_instr == 1) return std::make_unique<Verilated<Vlutra_r1>>(1);
#endif
#ifdef LUTRA_ROUNDS_2
  if (rounds_per_instr == 2) return std::make_unique<Verilated<Vlutra_r2>>(2);
#endif
  throw HostError("this configuration has no core of " + std::to_string(rounds_per_instr) + " rounds per instruction");
}

}  // namespace lutra::verilated
