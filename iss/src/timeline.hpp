// A machine whose past is kept: checkpoints, re-execution from them, and the last touch of every cell.
//
// Time counts retirements. Host actions are logged with their time and replayed when that time is passed. The table of
// last touches belongs to the state at a time and is part of every checkpoint, so "who wrote this last" needs no
// search.
#pragma once

#include <optional>
#include <span>

#include "cells.hpp"
#include "checkpoints.hpp"
#include "host.hpp"
#include "host_actions.hpp"
#include "poke.hpp"
#include "stops.hpp"

namespace lutra {

// Target: the interface of a machine for a timeline (simulator_target.hpp is the simplest one).
template <class Target>
class Timeline {
 public:
  using Time = std::uint64_t;

  explicit Timeline(typename Target::Machine& machine) : target_(machine), checkpoints_(Target::kInterval) {
    if (state() == CoreState::Running) throw HostError("a timeline begins with a machine that is not running");
    checkpoints_.add(checkpoint());
  }

  Time now() const { return here_.time; }
  Time latest() const { return latest_; }
  Time began() const { return here_.began; }
  std::size_t acted() const { return here_.actions; }
  CoreState state() const { return target_.machine().state(); }
  std::uint64_t cycles() const { return target_.machine().cycles(); }
  Registers registers() const { return target_.registers(); }
  std::vector<std::uint8_t> read(Space space, std::size_t offset, std::size_t length) const {
    return target_.read(space, offset, length);
  }
  std::size_t checkpoints() const { return checkpoints_.size(); }

  // Address of the instruction that retires next; false when not running, or when none does.
  bool next(std::uint16_t& pc) {
    if (state() != CoreState::Running) return false;
    if constexpr (Target::kKnowsNext) {
      pc = target_.machine().pc();
      return true;
    } else {
      const auto ahead = records(now() + 1, now() + 1);
      if (!ahead.empty()) pc = ahead.front().pc;
      return !ahead.empty();
    }
  }

  // ---------------------------------------------------------------------- moves

  // Moves to a time up to the latest; without `host`, to the state before the host's actions at that time.
  void seek(Time time, bool host = true) {
    if (time > latest_) throw HostError("a time after the latest");
    if (!host && time > 0) return seek_before_host(time);
    const Checkpoint& before = checkpoints_.before(time);
    if (time < now() || before.time > now() || target_.diverged()) restore(before);
    while (now() < time) again();
    repeat_actions();
  }

  // Moves to the first time in the present run with so many cycles used. If that is not reached, returns the reason: a
  // limit if it is more than so many instructions further.
  std::optional<Why> seek_cycle(std::uint64_t cycle, std::uint64_t limit) {
    const std::uint64_t run = here_.run;
    const Checkpoint* before = checkpoints_.last(
        [run, cycle](const Checkpoint& c) { return c.run < run || (c.run == run && c.cycles < cycle); });
    const bool within = before && before->run == run;
    if (cycles() >= cycle)
      seek(within ? before->time : here_.began);
    else if (within && before->time > now())
      seek(before->time);
    for (std::uint64_t done = 0; cycles() < cycle; ++done) {
      if (done == limit) return Why::Limit;
      if (!forward()) return ended();
      if (here_.run != run) return *stopped(record_);
    }
    return {};
  }

  // Runs on, by at least one instruction, until a stop condition holds.
  Why run(const Stops& stops) {
    const Watch::For watching(watch_, stops);
    for (std::uint64_t done = 0; done < stops.limit; ++done) {
      watch_.hit = false;
      if (!forward()) return ended();
      const Retire& r = record_;
      if constexpr (!Target::kKnowsNext)
        if (watch_.at(r.pc) && now() - 1 > stops.since) {
          seek(now() - 1);
          return Why::Break;
        }
      if (target_.diverged()) return Why::Divergence;
      if (const auto why = stopped(r)) return *why;
      if (watch_.hit) return Why::Touch;
      if (r.notify_en && stops.notify) return Why::Notify;
      if (r.call_depth <= stops.depth) return Why::Depth;
      if constexpr (Target::kKnowsNext)
        if (watch_.at(target_.machine().pc())) return Why::Break;
    }
    return Why::Limit;
  }

  // Goes back to the last time before now at which `run` would have stopped by one of these, or to the beginning.
  Why run_back(const Stops& stops) {
    Time to = 0;
    Why why = Why::Start;
    const auto go_to = [&](Time time, Why because) {
      to = time;
      why = because;
    };
    const auto take = [&](Time time, Why because) {
      if (time >= to && time > 0) go_to(time, because);
    };
    if (stops.limit < now()) take(now() - stops.limit, Why::Limit);
    std::vector<std::size_t> depths, executed;
    for (int d = 0; d <= std::min(stops.depth, kCallDepth); ++d)
      depths.push_back(Cells::depth(static_cast<std::size_t>(d)));
    for (const std::uint16_t pc : stops.breaks)
      if (pc < kProgramWords) executed.push_back(Cells::kProgram + pc);
    take(touched_before_now(depths), Why::Depth);
    if (stops.notify) take(touched_before_now({Cells::kNotify}), Why::Notify);
    take(touched_before_now(stops.touches), Why::Touch);
    if (const Time at = last(executed); at > 0 && at - 1 >= to) go_to(at - 1, Why::Break);
    seek(to);
    return why;
  }

  // -------------------------------------------------------------- what has happened

  // The last time up to now at which one of the cells was touched; zero if never.
  Time last(std::span<const std::size_t> cells) const { return last(here_.touched, cells); }

  // The times up to now at which one of the cells was touched, the newest first.
  std::vector<Time> history(std::span<const std::size_t> cells, std::size_t count) {
    std::vector<Time> times;
    Time end = last(cells);
    if (end == 0 || count == 0) return times;
    const Excursion excursion(*this);
    Stops stops;
    stops.touches.assign(cells.begin(), cells.end());
    const Watch::For watching(watch_, stops);
    while (end > 0 && times.size() < count) {
      restore(checkpoints_.before(end - 1));
      const Time earlier = last(cells);
      std::vector<Time> found;
      while (now() < end) {
        watch_.hit = false;
        if (!forward()) break;
        if (watch_.hit) found.push_back(now());
      }
      times.insert(times.end(), found.rbegin(), found.rend());
      end = earlier;
    }
    times.resize(std::min(times.size(), count));
    return times;
  }

  // Records of the instructions from `first` to `last`; fewer if the machine stops before.
  std::vector<Retire> records(Time first, Time last) {
    if (first == 0) throw HostError("instructions are counted from 1 on");
    std::vector<Retire> found;
    if (first == last && first == recorded_) return {record_};
    const Excursion excursion(*this);
    seek(std::min(first - 1, latest_));
    while (now() < last && forward())
      if (now() >= first) found.push_back(record_);
    return found;
  }

  // ---------------------------------------------------------------------- the host

  void start(std::uint16_t pc) { act(HostStart{pc}); }
  void resume() { act(HostResume{}); }
  void reset() { act(HostReset{}); }
  void write(Space space, std::size_t offset, std::span<const std::uint8_t> bytes) {
    repeat_actions();
    if (!Target::kTakesWrites && state() == CoreState::Running)
      throw HostError("a running core is not written to: its clock goes on while the host's port waits for a memory");
    act(HostWrite{space, offset, {bytes.begin(), bytes.end()}});
  }
  void inject(const Fault& fault) { act(fault); }
  // Sets a register by its name. A value that does not read back is not legal for it.
  void poke(const std::string& name, const RegisterValue& value) {
    repeat_actions();
    const Registers before = registers(), wanted = with_value(before, name, value);
    target_.set_registers(wanted);
    const bool taken = registers() == wanted;
    target_.set_registers(before);
    if (!taken) throw HostError(name + " cannot have this value now");
    act(wanted);
  }

 private:
  struct Action {
    Time time;
    HostAction what;
  };

  // State that belongs to a time in addition to the machine.
  struct Here {
    Time time = 0;
    Time began = 0;  // of the run, and how many starts and resets there were
    std::uint64_t run = 0;
    std::size_t actions = 0;  // how many are done
    Cells::Stacks stacks{};
    std::vector<Time> touched = std::vector<Time>(Cells::kCount);
  };
  struct Checkpoint : Here {
    Checkpoint(const Here& here, typename Target::Saved of, std::uint64_t used)
        : Here(here), saved(std::move(of)), cycles(used) {}
    typename Target::Saved saved;
    std::uint64_t cycles;
  };

  // Moves away and back: nothing of it is kept, even beyond the latest time.
  class Excursion {
   public:
    explicit Excursion(Timeline& of) : of_(of), from_(of.checkpoint()), record_(of.record_), recorded_(of.recorded_) {
      ++of_.away_;
    }
    ~Excursion() {
      --of_.away_;
      of_.here_ = from_;
      of_.target_.restore(from_.saved);
      of_.record_ = record_;
      of_.recorded_ = recorded_;
    }
    Excursion(const Excursion&) = delete;
    Excursion& operator=(const Excursion&) = delete;

   private:
    Timeline& of_;
    Checkpoint from_;
    Retire record_;
    Time recorded_;
  };

  static Time last(const std::vector<Time>& touched, std::span<const std::size_t> cells) {
    Time time = 0;
    for (const std::size_t cell : cells) time = std::max(time, touched.at(cell));
    return time;
  }

  // For a touch at this very time, the one before.
  Time touched_before_now(const std::vector<std::size_t>& cells) {
    const Time time = last(cells);
    if (time < now()) return time;
    for (const Time earlier : history(cells, 2))
      if (earlier < now()) return earlier;
    return 0;
  }

  Checkpoint checkpoint() const { return {here_, target_.save(), cycles()}; }

  void restore(const Checkpoint& to) {
    here_ = to;
    target_.restore(to.saved);
    recorded_ = 0;
    repeat_actions();
  }

  void again(bool host = true) {
    if (!forward(host)) throw std::logic_error("what is executed again came to its end before");
  }

  // The next move replays the host's actions here.
  void seek_before_host(Time time) {
    seek(time - 1);
    again(false);
  }

  // One instruction with the host actions before it and, with `host`, after it; false when the machine is stopped.
  bool forward(bool host = true) {
    if (here_.actions < actions_.size()) repeat_actions();
    if (!target_.step(record_)) return false;
    recorded_ = ++here_.time;
    Cells::each_touched(record_, here_.stacks, [this](std::size_t cell) { touch(cell); });
    if (host && here_.actions < actions_.size()) repeat_actions();
    if (away_) return true;
    if (here_.time > latest_) latest_ = here_.time;
    if (here_.time >= checkpoints_.due()) checkpoints_.add(checkpoint());
    return true;
  }

  [[gnu::always_inline]] void touch(std::size_t cell) {
    here_.touched[cell] = here_.time;
    watch_.touch(cell);
  }

  Why ended() const { return target_.diverged() ? Why::Divergence : standing(state()); }

  // The host acts now; the logged future is dropped.
  void act(HostAction what) {
    repeat_actions();
    perform(what);
    actions_.resize(here_.actions, Action{});
    actions_.push_back({now(), std::move(what)});
    ++here_.actions;
    checkpoints_.cut(now());
    latest_ = now();
  }

  void repeat_actions() {
    for (; here_.actions < actions_.size() && actions_[here_.actions].time == here_.time; ++here_.actions)
      perform(actions_[here_.actions].what);
  }

  void perform(const HostAction& what) {
    lutra::perform(target_, what);
    if (std::holds_alternative<HostStart>(what) || std::holds_alternative<HostReset>(what)) {
      here_.began = now();
      ++here_.run;
      here_.stacks = {};
      touch(Cells::depth(0));
    } else if (const auto* r = std::get_if<Registers>(&what)) {
      here_.stacks = {r->loops, r->calls, r->loop_remaining[0]};
    }
  }

  Target target_;
  Checkpoints<Checkpoint> checkpoints_;
  std::vector<Action> actions_;
  Here here_;
  Time latest_ = 0;
  Retire record_{};
  Time recorded_ = 0;  // the time of the record, zero without one
  int away_ = 0;
  Watch watch_;
};

}  // namespace lutra
