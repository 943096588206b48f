#include "rtl_device.hpp"

#include <verilated.h>

#include <stdexcept>

#include "Vlutra_axi.h"

namespace lutra::soc {
namespace {

// Cycles that an access to a register may take.
constexpr unsigned kPatience = 1000;

}  // namespace

RtlDevice::RtlDevice(std::span<std::uint8_t> memory, std::uint64_t base, const Timing& timing)
    : memory_(memory, base, timing), context_(std::make_unique<VerilatedContext>()) {
  context_->fatalOnError(false);
  context_->randReset(2);  // what is not reset begins with anything
  context_->randSeed(static_cast<int>(timing.seed));
  top_ = std::make_unique<Vlutra_axi>(context_.get());
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

RtlDevice::~RtlDevice() { top_->final(); }

void RtlDevice::clock() {
  Vlutra_axi& t = *top_;
  const AxiMemory::Driven& d = memory_.drive();
  t.m_axi_arready = d.ar_ready;
  t.m_axi_awready = d.aw_ready;
  t.m_axi_wready = d.w_ready;
  t.m_axi_rvalid = d.r_valid;
  t.m_axi_rid = static_cast<CData>(d.r_id);
  t.m_axi_rdata = d.r_data;
  t.m_axi_rresp = static_cast<CData>(d.r_response);
  t.m_axi_rlast = d.r_last;
  t.m_axi_bvalid = d.b_valid;
  t.m_axi_bid = static_cast<CData>(d.b_id);
  t.m_axi_bresp = static_cast<CData>(d.b_response);
  t.clk_i = 0;
  t.eval();
  const bool live = t.rst_ni != 0 && context_->assertOn();
  const AxiMemory::Address ar{live && t.m_axi_arvalid, t.m_axi_arid, t.m_axi_araddr, t.m_axi_arlen + 1u};
  const AxiMemory::Address aw{live && t.m_axi_awvalid, t.m_axi_awid, t.m_axi_awaddr, t.m_axi_awlen + 1u};
  const AxiMemory::Data w{live && t.m_axi_wvalid, t.m_axi_wdata, t.m_axi_wstrb, t.m_axi_wlast != 0};
  const bool r_ready = t.m_axi_rready, b_ready = t.m_axi_bready;
  taken_aw_ = t.s_axil_awvalid && t.s_axil_awready;
  taken_w_ = t.s_axil_wvalid && t.s_axil_wready;
  taken_ar_ = t.s_axil_arvalid && t.s_axil_arready;
  answered_b_ = t.s_axil_bvalid;
  answered_r_ = t.s_axil_rvalid;
  if (answered_r_) read_data_ = t.s_axil_rdata;
  t.clk_i = 1;
  t.eval();
  memory_.take(ar, aw, w, r_ready, b_ready);
  ++cycles_;
  if (context_->gotError() || context_->gotFinish()) throw std::runtime_error("an assertion of the RTL has failed");
}

void RtlDevice::write(std::uint32_t offset, std::uint32_t value) {
  Vlutra_axi& t = *top_;
  t.s_axil_awaddr = static_cast<SData>(offset);
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

std::uint32_t RtlDevice::read(std::uint32_t offset) {
  Vlutra_axi& t = *top_;
  t.s_axil_araddr = static_cast<SData>(offset);
  t.s_axil_arvalid = 1;
  for (unsigned i = 0; i < kPatience; ++i) {
    clock();
    if (taken_ar_) t.s_axil_arvalid = 0;
    if (answered_r_) return read_data_;
  }
  throw std::runtime_error("a read of a register is not answered");
}

std::uint64_t RtlDevice::run(std::uint64_t cycles) {
  const std::uint64_t begin = cycles_;
  const unsigned before = interrupts();
  while (cycles_ - begin < cycles && (interrupts() & ~before) == 0) clock();
  return cycles_ - begin;
}

void RtlDevice::escalate() {
  top_->escalate_i = 1;
  clock();
  top_->escalate_i = 0;
}

bool RtlDevice::alert() const { return top_->alert_o != 0; }

unsigned RtlDevice::interrupts() const { return top_->irq_o; }

}  // namespace lutra::soc
