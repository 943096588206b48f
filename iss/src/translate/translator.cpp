// Translation, and the ways into and out of translated code.
#include "translate/translator.hpp"

#include <algorithm>
#include <cstring>

namespace lutra {
namespace {

// In a draft, the targets of items: another item, one of those that leave, or a block that has code already.
constexpr std::uint32_t kLeaving = 1u << 30, kElsewhere = 1u << 31;

// The most cycles between the issues of two instructions.
constexpr std::uint64_t kLongestWait = 64;

using Enter = void (*)(Machine*, std::uint8_t*, std::uint64_t, const std::uint8_t*);

}  // namespace

// Code before it has its place.
struct Translator::Draft {
  std::vector<Item> items, leaving;
  std::vector<const std::uint8_t*> elsewhere;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> begins;  // blocks and their first items
  std::vector<std::uint32_t> open;                              // blocks to draft
  std::vector<std::pair<std::uint32_t, std::uint32_t>> jumps;   // items that jump to a block
};

Translator::Translator(const Level& level, unsigned patience) : pieces_(Pieces::of(level)), patience_(patience) {
  if (arena_.usable()) install();
}

std::unique_ptr<Translator> Translator::make(std::string_view level, unsigned patience) {
  for (const Level& l : levels())
    if ((level.empty() || l.name == level) && l.usable()) {
      auto made = std::make_unique<Translator>(l, patience);
      return made->enter_ != nullptr ? std::move(made) : nullptr;
    }
  return nullptr;
}

// What all programs need, once.
void Translator::install() {
  const auto constants = pieces_.level().constants;
  void* at = arena_.data(constants.size(), 64);
  std::memcpy(at, constants.data(), constants.size());
  constants_ = static_cast<const std::uint8_t*>(at);
  std::vector<Item> items{{pieces_.named("enter"), {}}};
  for (std::size_t i = 0; i < kContents; ++i) {
    const Piece* piece = pieces_.named("lookup_" + std::string(name_of(static_cast<Contents>(i))));
    items.push_back({piece ? piece : pieces_.named("lookup_Any"), {}});
  }
  std::vector<const std::uint8_t*> addresses;
  if (!place(items, addresses)) return;
  enter_ = addresses[0];
  for (std::size_t i = 0; i < kContents; ++i)
    lookups_[i] = reinterpret_cast<fn::Lookup>(reinterpret_cast<std::uintptr_t>(addresses[i + 1]));
  arena_.keep();
}

void Translator::program_changed() {
  codes_.clear();
  seen_.clear();
  current_ = nullptr;
  full_ = false;
  std::fill(arrivals_.begin(), arrivals_.end(), 0);
  arena_.clear();
}

void Translator::begins(Machine& m) {
  m.compacts_ = &compacts_;
  begins_ = true;
  pause_ = kFirstPause;
  considered_ = 0;
}

// Compares the tables when a run begins. A run that writes them goes on with code for any contents, until
// it has not written them for a while.
void Translator::look(Machine& m) {
  const std::uint64_t now = Memo::earliest(m.timing_);
  if (!tables_changed_ || (!begins_ && now - considered_ < pause_ && is_any())) return;
  if (begins_ || (is_any() && !written_since_)) {
    for (std::size_t i = 0; i < compacts_.size(); ++i) {
      classify((*m.tables_)[i], compacts_[i]);
      m.lookups_[i] = lookups_[static_cast<std::size_t>(compacts_[i].contents)];
    }
    tables_changed_ = false;
    current_ = nullptr;
  } else if (!is_any()) {
    for (Compact& c : compacts_) c.contents = Contents::Any;
    current_ = nullptr;
  } else {
    pause_ = std::min(2 * pause_, kLongestPause);
  }
  considered_ = now;
  begins_ = written_since_ = false;
}

bool Translator::is_any() const {
  return std::all_of(compacts_.begin(), compacts_.end(), [](const Compact& c) { return c.contents == Contents::Any; });
}

// For what the tables hold.
Translator::Code& Translator::code(Machine& m) {
  look(m);
  if (current_ != nullptr) return *current_;
  std::array<Contents, kTableBanks> contents{};
  for (std::size_t i = 0; i < contents.size(); ++i) contents[i] = compacts_[i].contents;
  const auto found =
      std::find_if(codes_.begin(), codes_.end(), [&contents](const auto& c) { return c->contents == contents; });
  if (found != codes_.end()) return *(current_ = found->get());
  const bool any = std::all_of(contents.begin(), contents.end(), [](Contents c) { return c == Contents::Any; });
  codes_.push_back(std::make_unique<Code>(
      Code{contents, Shape(m.program_, any), std::vector<std::int32_t>(m.program_.size() + 1, -1), {}, {}}));
  return *(current_ = codes_.back().get());
}

std::uint32_t Translator::block(Code& code, std::size_t pc) {
  const auto next = static_cast<std::int32_t>(code.blocks.size());
  if (pc < code.block_at.size()) {
    if (code.block_at[pc] >= 0) return static_cast<std::uint32_t>(code.block_at[pc]);
    code.block_at[pc] = next;
  }  // a transfer beyond the program, which traps there, has a block of its own
  code.blocks.push_back({static_cast<std::uint16_t>(pc), 0, nullptr, {}});
  return static_cast<std::uint32_t>(next);
}

void Translator::arrives(Machine& m) {
  if (full_ || m.pc_ >= m.program_.size()) return;
  if (arrivals_.size() != m.program_.size()) arrivals_.assign(m.program_.size(), 0);
  if (++arrivals_[m.pc_] < patience_) return;
  arrivals_[m.pc_] = 0;
  Code& c = code(m);
  if (c.block_at[m.pc_] >= 0 && c.blocks[static_cast<std::size_t>(c.block_at[m.pc_])].code != nullptr) return;
  if (!translate(m, c, m.pc_)) full_ = true;
}

// Translates all blocks that can be reached; false where memory is used up.
bool Translator::translate(Machine& m, Code& c, std::uint16_t pc) {
  if (c.shape.ending(pc) == Ending::Before) return true;
  Draft draft;
  draft.open.push_back(block(c, pc));
  while (!draft.open.empty()) {
    const std::uint32_t number = draft.open.back();
    draft.open.pop_back();
    const bool drafted = std::any_of(draft.begins.begin(), draft.begins.end(),
                                     [number](const auto& begin) { return begin.first == number; });
    if (drafted || c.blocks[number].code != nullptr || c.blocks[number].pc >= m.program_.size() ||
        c.shape.ending(c.blocks[number].pc) == Ending::Before)
      continue;
    draft.begins.emplace_back(number, static_cast<std::uint32_t>(draft.items.size()));
    if (!this->draft(m, c, number, draft)) return false;
  }
  return finish(draft, c);
}

bool Translator::draft(Machine& m, Code& c, std::uint32_t number, Draft& draft) {
  const std::uint16_t begin = c.blocks[number].pc;
  Place place{begin, m.memory_bytes_, c.contents, 0};
  const auto item = [&](std::string_view name) -> Item& {
    return draft.items.emplace_back(Item{pieces_.named(name), {}});
  };
  const auto leave = [&](Exit why, std::size_t pc, std::uint32_t what) {
    Item stub{pieces_.named("leave"), {}};
    stub.with(Hole::Why, static_cast<std::uint32_t>(why)).with(Hole::Pc, static_cast<std::uint32_t>(pc));
    draft.leaving.push_back(stub.with(Hole::Edge, what));
    return kLeaving | static_cast<std::uint32_t>(draft.leaving.size() - 1);
  };
  // The edge to another block; false without memory.
  const auto way = [&](std::size_t to, std::size_t length, bool taken, bool entered) {
    const std::uint32_t target = block(c, to);
    auto* edges = static_cast<Edge*>(arena_.data(kStates * sizeof(Edge), 64));
    if (edges == nullptr) return false;
    const auto index = static_cast<std::uint32_t>(c.ways.size());
    c.ways.push_back({number, target, taken, entered, edges});
    item("edge")
        .with(Hole::Edge, static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(edges)))
        .with(Hole::Length, static_cast<std::uint32_t>(length))
        .with(Hole::Miss, leave(Exit::Miss, to, index))
        .with(Hole::Full, leave(Exit::Label, to, target));
    draft.jumps.emplace_back(draft.items.size(), target);
    item("jump");
    draft.open.push_back(target);
    return true;
  };
  for (std::size_t pc = begin;; ++pc) {
    const std::size_t length = pc - begin + 1;
    const Decoded& d = m.program_[pc];
    place.pc = static_cast<std::uint16_t>(pc);
    place.leave = leave(Exit::Inside, pc, number);
    const Ending ending = c.shape.ending(pc);
    if (ending == Ending::Transfer) {
      c.blocks[number].length = static_cast<std::uint16_t>(length);
      emit_transfer(pieces_, d, place, 0, draft.items);
      const std::size_t transfer = draft.items.size() - 1;
      const bool enters = repeats(d) && (d.e == pc + 1 || (pc + 1 < m.program_.size() && repeats(m.program_[pc + 1])));
      const bool always = d.encoding->sq == Sq::Call || (d.encoding->sq == Sq::Jump && d.encoding->cc == Cc::Always);
      if (!always && !way(pc + 1, length, false, enters)) return false;
      draft.items[transfer].with(Hole::Taken, static_cast<std::uint32_t>(draft.items.size()));
      return way(repeats(d) ? d.e + 1u : d.e, length, true, false);
    }
    if (!emit(pieces_, d, place, draft.items)) {
      auto* call = static_cast<Call*>(arena_.data(sizeof(Call), alignof(Call)));
      if (call == nullptr) return false;
      *call = {Machine::functional(d.op), &d};
      item("interpret")
          .with(Hole::Call, static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(call)))
          .with(Hole::Leave, place.leave);
    }
    if (ending == Ending::Loop) {
      c.blocks[number].length = static_cast<std::uint16_t>(length);
      const std::size_t end = draft.items.size();
      item("loop_end").with(Hole::Pc, place.pc);
      if (!way(pc + 1, length, false, false)) return false;
      draft.items[end].with(Hole::Taken, static_cast<std::uint32_t>(draft.items.size()));
      return way(c.shape.loop_start(pc), length, false, false);
    }
    if (c.shape.begins_block(pc + 1) || pc + 1 == m.program_.size()) {
      c.blocks[number].length = static_cast<std::uint16_t>(length);
      return way(pc + 1, length, false, false);
    }
  }
}

// Gives a draft its place and connects its blocks.
bool Translator::finish(Draft& draft, Code& c) {
  const auto leaving = static_cast<std::uint32_t>(draft.items.size());
  for (const auto& [item, target] : draft.jumps) {
    const auto begin = std::find_if(draft.begins.begin(), draft.begins.end(),
                                    [target = target](const auto& b) { return b.first == target; });
    std::uint32_t to = kElsewhere | static_cast<std::uint32_t>(draft.elsewhere.size());
    if (begin != draft.begins.end()) {
      to = begin->second;
    } else if (c.blocks[target].code != nullptr) {
      draft.elsewhere.push_back(c.blocks[target].code);
    } else {
      Item stub{pieces_.named("leave"), {}};
      stub.with(Hole::Why, static_cast<std::uint32_t>(Exit::Label)).with(Hole::Pc, c.blocks[target].pc);
      draft.leaving.push_back(stub.with(Hole::Edge, target));
      to = kLeaving | static_cast<std::uint32_t>(draft.leaving.size() - 1);
    }
    draft.items[item].with(Hole::Taken, to);
  }
  draft.items.insert(draft.items.end(), draft.leaving.begin(), draft.leaving.end());
  std::vector<const std::uint8_t*> at;
  for (Item& item : draft.items)
    for (auto hole = static_cast<std::size_t>(Hole::Taken); hole <= static_cast<std::size_t>(Hole::Full); ++hole)
      if (item.holes[hole] & kLeaving) item.holes[hole] = (item.holes[hole] & ~kLeaving) + leaving;
  elsewhere_ = draft.elsewhere;
  if (!place(draft.items, at)) return false;
  for (const auto& [number, first] : draft.begins) c.blocks[number].code = at[first];
  return true;
}

// Copies items into memory and patches them; false where there is none.
bool Translator::place(std::vector<Item>& items, std::vector<const std::uint8_t*>& at) {
  std::size_t size = 0;
  for (const Item& item : items) size += item.piece->size;
  std::uint8_t* next = arena_.open(size);
  if (next == nullptr) return false;
  for (const Item& item : items) {
    at.push_back(next);
    std::memcpy(next, item.piece->code, item.piece->size);
    next += item.piece->size;
  }
  at.push_back(next);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    for (const Patch& patch : std::span(item.piece->patches, item.piece->count)) {
      const std::uint32_t hole = item.holes[static_cast<std::size_t>(patch.what)];
      std::uintptr_t value = hole;
      if (patch.what == Hole::Constants)
        value = reinterpret_cast<std::uintptr_t>(constants_);
      else if (patch.what == Hole::Next)
        value = reinterpret_cast<std::uintptr_t>(at[i + 1]);
      else if (patch.what > Hole::Next)
        value = reinterpret_cast<std::uintptr_t>(hole & kElsewhere ? elsewhere_[hole & ~kElsewhere] : at[hole]);
      std::uint8_t* to = const_cast<std::uint8_t*>(at[i]) + patch.offset;
      value += static_cast<std::uintptr_t>(static_cast<std::intptr_t>(patch.addend));
      if (patch.distance) value -= reinterpret_cast<std::uintptr_t>(to);
      const auto bits = static_cast<std::uint32_t>(value);
      std::memcpy(to, &bits, sizeof bits);
    }
  }
  return arena_.seal();
}

bool Translator::knows_loops(const Machine& m, const Shape& shape) const {
  for (std::size_t i = 0; i < m.loops_.size(); ++i)
    if (!shape.knows_loop(m.loops_[i].start, m.loops_[i].end)) return false;
  return true;
}

bool Translator::run(Machine& m, std::uint64_t limit) {
  if (codes_.empty() || m.pc_ >= m.program_.size()) return false;
  Code& c = code(m);
  const std::int32_t number = c.block_at[m.pc_];
  if (number < 0) return false;
  const Block& b = c.blocks[static_cast<std::size_t>(number)];
  const std::uint64_t margin = kLongestWait * m.program_.size(), left = limit - m.timing_.elapsed();
  if (b.code == nullptr || left <= margin || !knows_loops(m, c.shape)) return false;
  const std::uint64_t earliest = Memo::earliest(m.timing_);
  const std::uint64_t most = tables_changed_ ? std::min(left - margin, pause_) : left - margin;
  m.translated_limit_ = most > ~earliest ? ~std::uint64_t{0} : earliest + most;
  return enter(m, c, static_cast<std::uint32_t>(number));
}

bool Translator::enter(Machine& m, Code& c, std::uint32_t number) {
  Block& first = c.blocks[number];
  const std::uint64_t state = Memo::number(first.states, m.timing_);
  if (state == Memo::kTooMany) return false;
  const std::uint64_t before = m.instructions_;
  reinterpret_cast<Enter>(reinterpret_cast<std::uintptr_t>(enter_))(&m, m.memory_.data(), state, first.code);
  const Returned r = m.returned_;
  m.pc_ = r.pc;
  if (r.why == Exit::Miss) {
    miss(m, c);
    return true;
  }
  const Block& block = c.blocks[r.number];
  const std::size_t done = r.why == Exit::Inside ? static_cast<std::size_t>(r.pc - block.pc) : 0;
  if (done == 0 && m.instructions_ == before) return false;
  Memo::apply(block.states[r.state], m.timing_);
  replay(m, block, done);
  return true;
}

// Works out the cycles of a block whose way is known now.
void Translator::miss(Machine& m, Code& c) {
  const Way& way = c.ways[m.returned_.number];
  const Block& from = c.blocks[way.from];
  Memo::apply(from.states[m.returned_.state], m.timing_);
  const std::uint64_t earliest = Memo::earliest(m.timing_);
  const auto stalls = Memo::all_stalls(m.timing_);
  replay(m, from, from.length);
  if (way.taken) m.timing_.taken();
  if (way.entered) m.timing_.entered();
  const std::uint64_t next = Memo::number(c.blocks[way.to].states, m.timing_);
  if (next == Memo::kTooMany) return;
  Edge& edge = way.edges[m.returned_.state];
  edge.cycles = static_cast<std::uint32_t>(Memo::earliest(m.timing_) - earliest);
  edge.next = static_cast<std::uint32_t>(next);
  seen_.push_back({&edge, Memo::all_stalls(m.timing_)});
  for (std::size_t i = 0; i < stalls.size(); ++i) seen_.back().stalls[i] -= stalls[i];
}

// The timing of the first instructions of a block, which have been executed.
void Translator::replay(Machine& m, const Block& block, std::size_t length) const {
  for (std::size_t i = 0; i < length; ++i) {
    const Decoded& d = m.program_[block.pc + i];
    m.timing_.issue(*d.encoding, d);
    m.timing_.write(*d.encoding, d);
  }
  m.instructions_ += length;
}

void Translator::settle(Machine& m) {
  for (Seen& seen : seen_) {
    if (seen.edge->count == 0) continue;
    Memo::add_stalls(m.timing_, seen.stalls, seen.edge->count);
    seen.edge->count = 0;
  }
}

}  // namespace lutra
