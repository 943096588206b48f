#include "rtl_cluster.hpp"

#include <verilated.h>

#include <stdexcept>

#include "Vlutra_cluster.h"

namespace lutra::soc {
namespace {

// Cycles that an access to a register may take.
constexpr unsigned kPatience = 2000;
constexpr unsigned kAddressBits = 40, kIdBits = 3, kDataBits = 64, kLengthBits = 8, kResponseBits = 2, kStrobeBits = 8;

// A signal of all managers is one vector: element i of it has bits i * width to i * width + width - 1.
template <typename T>
std::uint64_t element(const T& signal, unsigned i, unsigned width) {
  std::uint64_t value = 0;
  for (unsigned bit = 0; bit < width; ++bit) {
    const unsigned at = i * width + bit;
    bool set = false;
    if constexpr (std::is_integral_v<T>)
      set = (std::uint64_t{signal} >> at & 1) != 0;
    else
      set = (signal[at / 32] >> at % 32 & 1) != 0;
    value |= std::uint64_t{set} << bit;
  }
  return value;
}

template <typename T>
void put(T& signal, unsigned i, unsigned width, std::uint64_t value) {
  for (unsigned bit = 0; bit < width; ++bit) {
    const unsigned at = i * width + bit;
    const bool set = (value >> bit & 1) != 0;
    if constexpr (std::is_integral_v<T>) {
      const T mask = static_cast<T>(T{1} << at);
      signal = static_cast<T>(set ? signal | mask : signal & ~mask);
    } else {
      const EData mask = EData{1} << at % 32;
      signal[at / 32] = set ? signal[at / 32] | mask : signal[at / 32] & ~mask;
    }
  }
}

}  // namespace

RtlCluster::RtlCluster(std::span<std::uint8_t> memory, const Timing& timing)
    : context_(std::make_unique<VerilatedContext>()) {
  for (unsigned i = 0; i <= LUTRA_CLUSTER_CORES; ++i) {
    ports_.emplace_back(memory, 0, Timing{timing.latency, timing.stalls, timing.seed + i});
  }
  context_->fatalOnError(false);
  context_->randReset(2);  // what is not reset begins with anything
  context_->randSeed(static_cast<int>(timing.seed));
  top_ = std::make_unique<Vlutra_cluster>(context_.get());
  top_->s_axil_awvalid = top_->s_axil_wvalid = top_->s_axil_arvalid = 0;
  top_->s_axil_bready = top_->s_axil_rready = 1;
  top_->s_axil_wstrb = 0xf;
  top_->escalate_i = 0;
  // Assertions look at what is anything until the reset.
  context_->assertOn(false);
  top_->rst_ni = 1;
  clock();
  top_->rst_ni = 0;
  for (int i = 0; i < 4; ++i) clock();
  context_->assertOn(true);
  top_->rst_ni = 1;
  clock();
  cycles_ = 0;
}

RtlCluster::~RtlCluster() { top_->final(); }

void RtlCluster::clock() {
  Vlutra_cluster& t = *top_;
  for (unsigned i = 0; i < ports_.size(); ++i) {
    const AxiMemory::Driven& d = ports_[i].drive();
    put(t.m_axi_arready, i, 1, d.ar_ready);
    put(t.m_axi_awready, i, 1, d.aw_ready);
    put(t.m_axi_wready, i, 1, d.w_ready);
    put(t.m_axi_rvalid, i, 1, d.r_valid);
    put(t.m_axi_rlast, i, 1, d.r_last);
    put(t.m_axi_bvalid, i, 1, d.b_valid);
    if (d.r_valid) {
      put(t.m_axi_rid, i, kIdBits, d.r_id);
      put(t.m_axi_rdata, i, kDataBits, d.r_data);
      put(t.m_axi_rresp, i, kResponseBits, d.r_response);
    }
    if (d.b_valid) {
      put(t.m_axi_bid, i, kIdBits, d.b_id);
      put(t.m_axi_bresp, i, kResponseBits, d.b_response);
    }
  }
  t.clk_i = 0;
  t.eval();
  const bool live = t.rst_ni != 0 && context_->assertOn();
  struct Taken {
    AxiMemory::Address ar, aw;
    AxiMemory::Data w;
    bool r_ready, b_ready;
  };
  std::vector<Taken> taken(ports_.size());
  for (unsigned i = 0; i < ports_.size(); ++i) {
    Taken& of = taken[i];
    if (live && element(t.m_axi_arvalid, i, 1) != 0) {
      of.ar = {true, static_cast<unsigned>(element(t.m_axi_arid, i, kIdBits)), element(t.m_axi_araddr, i, kAddressBits),
               static_cast<unsigned>(element(t.m_axi_arlen, i, kLengthBits)) + 1};
    }
    if (live && element(t.m_axi_awvalid, i, 1) != 0) {
      of.aw = {true, static_cast<unsigned>(element(t.m_axi_awid, i, kIdBits)), element(t.m_axi_awaddr, i, kAddressBits),
               static_cast<unsigned>(element(t.m_axi_awlen, i, kLengthBits)) + 1};
    }
    if (live && element(t.m_axi_wvalid, i, 1) != 0) {
      of.w = {true, element(t.m_axi_wdata, i, kDataBits), static_cast<unsigned>(element(t.m_axi_wstrb, i, kStrobeBits)),
              element(t.m_axi_wlast, i, 1) != 0};
    }
    of.r_ready = element(t.m_axi_rready, i, 1) != 0;
    of.b_ready = element(t.m_axi_bready, i, 1) != 0;
  }
  taken_aw_ = t.s_axil_awvalid && t.s_axil_awready;
  taken_w_ = t.s_axil_wvalid && t.s_axil_wready;
  taken_ar_ = t.s_axil_arvalid && t.s_axil_arready;
  answered_b_ = t.s_axil_bvalid;
  answered_r_ = t.s_axil_rvalid;
  if (answered_r_) read_data_ = t.s_axil_rdata;
  t.clk_i = 1;
  t.eval();
  for (unsigned i = 0; i < ports_.size(); ++i) {
    ports_[i].take(taken[i].ar, taken[i].aw, taken[i].w, taken[i].r_ready, taken[i].b_ready);
  }
  ++cycles_;
  if (context_->gotError() || context_->gotFinish()) throw std::runtime_error("an assertion of the RTL has failed");
}

void RtlCluster::write(std::uint32_t offset, std::uint32_t value) {
  Vlutra_cluster& t = *top_;
  t.s_axil_awaddr = offset;
  t.s_axil_wdata = value;
  t.s_axil_awvalid = t.s_axil_wvalid = 1;
  for (unsigned i = 0; i < kPatience; ++i) {
    clock();
    if (taken_aw_) t.s_axil_awvalid = 0;
    if (taken_w_) t.s_axil_wvalid = 0;
    if (answered_b_) return;
  }
  throw std::runtime_error("a write to a register is not answered");
}

std::uint32_t RtlCluster::read(std::uint32_t offset) {
  Vlutra_cluster& t = *top_;
  t.s_axil_araddr = offset;
  t.s_axil_arvalid = 1;
  for (unsigned i = 0; i < kPatience; ++i) {
    clock();
    if (taken_ar_) t.s_axil_arvalid = 0;
    if (answered_r_) return read_data_;
  }
  throw std::runtime_error("a read of a register is not answered");
}

std::uint64_t RtlCluster::run(std::uint64_t cycles) {
  const std::uint64_t begin = cycles_;
  const bool before = interrupt();
  while (cycles_ - begin < cycles && (before || !interrupt())) clock();
  return cycles_ - begin;
}

bool RtlCluster::interrupt() const { return top_->irq_o != 0; }

}  // namespace lutra::soc
