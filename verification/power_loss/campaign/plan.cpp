#include "plan.hpp"

#include <fstream>
#include <sstream>

namespace power_loss {
namespace {

Steps rest(std::istringstream& line) {
  Steps steps;
  for (std::string step; line >> step;) steps.push_back(step);
  return steps;
}

}  // namespace

Plan read_plan(const std::string& path) {
  std::ifstream file(path);
  if (!file) give_up("cannot read " + path);
  Plan plan;
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::string word, value;
    line >> word;
    if (word == "prepare") {
      plan.prepare.push_back(rest(line));
    } else if (word == "recovery") {
      plan.recoveries.push_back(rest(line));
    } else if (word == "cycle" && line >> value) {
      plan.cycles.push_back({value, rest(line)});
    } else if (word == "pack" && line >> value) {
      line >> plan.paths[value];
      plan.packs[value] = read_file(plan.paths[value]);
    } else if (word == "fuses" && line >> value) {
      plan.fuses = read_file(value);
    } else if (word == "name" && line >> plan.name) {
    } else if (word == "device" && line >> plan.device) {
    } else if (word == "geometry" && line >> plan.geometry) {
    } else if (word == "goal" && line >> plan.goal) {
    } else {
      give_up(path + ": " + text);
    }
  }
  return plan;
}

Steps Plan::resolved(const Steps& steps) const {
  Steps out;
  for (const std::string& step : steps) {
    const auto equals = step.find('=');
    out.push_back(equals == step.npos ? step : step.substr(0, equals + 1) + paths.at(step.substr(equals + 1)));
  }
  return out;
}

std::vector<std::string> Plan::brought(const Steps& steps) {
  std::vector<std::string> names;
  for (const std::string& step : steps)
    if (const auto equals = step.find('='); equals != step.npos) names.push_back(step.substr(equals + 1));
  return names;
}

}  // namespace power_loss
