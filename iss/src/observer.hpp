// Observers of a machine: notified of the host's control and of every retirement. A machine knows nothing else about
// coverage, trace or debugger.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "lutra_isa.hpp"
#include "lutra_retire.hpp"

namespace lutra {

class Observer {
 public:
  virtual ~Observer() = default;

  // `before` is the state in which the host acts.
  virtual void reset(CoreState before) = 0;
  virtual void start(CoreState before) = 0;
  virtual void resume() = 0;
  // The host zeroes registers and memories; escalated: and locks the machine.
  virtual void wiped(CoreState /*before*/, bool /*escalated*/) {}
  virtual void retired(const Retire& record) = 0;
  // Called after each clock of a running core, and after the retirement in it; a simulator has no clocks.
  virtual void clocked() {}
};

class Unobserved;

// The common interface of simulator and RTL for observers.
class Observed {
 public:
  using Observers = std::vector<std::shared_ptr<Observer>>;

  void observe(std::shared_ptr<Observer> observer) { observers_.push_back(std::move(observer)); }
  void ignore(const Observer& observer) {
    std::erase_if(observers_, [&observer](const auto& o) { return o.get() == &observer; });
  }
  // No observer sees what happens while the result lives.
  Unobserved unobserved();
  // Replaces them by others.
  void exchange_observers(Observers& others) { observers_.swap(others); }

 protected:
  Observers observers_;
};

// Detaches a machine's observers for its lifetime, so that they do not see instructions that are executed again.
class Unobserved {
 public:
  explicit Unobserved(Observed& machine) : machine_(machine) { machine_.exchange_observers(others_); }
  ~Unobserved() { machine_.exchange_observers(others_); }
  Unobserved(const Unobserved&) = delete;
  Unobserved& operator=(const Unobserved&) = delete;

 private:
  Observed& machine_;
  Observed::Observers others_;
};

inline Unobserved Observed::unobserved() { return Unobserved(*this); }

}  // namespace lutra
