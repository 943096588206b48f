// The reader of records as verification/faults/record.py writes them.
#include "record.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace faults {

namespace {

// A hexadecimal number of any length into `width` values, lowest first.
void unpack(const std::string& text, std::size_t width, const std::string& where, Bits& out) {
  const std::size_t at = out.size();
  out.resize(at + width);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = std::string("0123456789abcdef").find(text[text.size() - 1 - i]);
    if (digit == std::string::npos) throw InputError(where + ": not a hexadecimal number: " + text);
    for (std::size_t b = 0; b < 4; ++b) {
      const bool set = digit >> b & 1;
      if (4 * i + b < width)
        out[at + 4 * i + b] = set;
      else if (set)
        throw InputError(where + ": " + text + " does not fit " + std::to_string(width) + " bits");
    }
  }
}

Bits values(std::istringstream& in, const std::vector<Port>& ports, const std::string& where) {
  Bits out;
  for (const Port& port : ports) {
    std::string text;
    if (!(in >> text)) throw InputError(where + ": no value of " + port.name);
    unpack(text, port.bits.size(), where, out);
  }
  return out;
}

// The words after the values of a row, if there are any.
void look(std::istringstream& in, const std::string& where, Row& row) {
  const std::map<std::string, Look> looks = {{"know", Look::kKnow}, {"first", Look::kFirst}, {"again", Look::kAgain}};
  for (std::string word; in >> word;) {
    if (word == "releases") {
      row.releases = true;
    } else if (const auto found = looks.find(word); found != looks.end()) {
      row.look = found->second;
      if (row.look != Look::kKnow && !(in >> row.slot)) throw InputError(where + ": a number is missing");
    } else {
      throw InputError(where + ": unknown word " + word);
    }
  }
  in.clear();
}

}  // namespace

Record::Record(const std::string& path, const Netlist& netlist) {
  std::ifstream file(path);
  if (!file) throw InputError(path + ": cannot be read");
  const std::map<std::string, std::vector<Node>*> named = {
      {"request", &roles.request}, {"write", &roles.write}, {"grant", &roles.grant},  {"valid", &roles.valid},
      {"data", &roles.data},       {"state", &roles.state}, {"pulse", &roles.pulses}, {"alert", &roles.alerts}};
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string where = path + ":" + std::to_string(number);
    std::istringstream in(line);
    std::string word, port;
    in >> word;
    if (word == "begin") {
      in >> begin;
    } else if (word == "busy") {
      in >> roles.busy;
    } else if (word == "row") {
      Row row{values(in, netlist.inputs, where), {}, {}};
      in >> word;
      if (word == "after") row.after = values(in, netlist.inputs, where), in >> word;
      if (word != "outputs" && word != "unknown") throw InputError(where + ": expected outputs or unknown");
      if (word == "outputs") row.outputs = values(in, netlist.outputs, where);
      look(in, where, row);
      rows.push_back(std::move(row));
    } else if (const auto role = named.find(word); role != named.end()) {
      in >> port;
      const Port* found = netlist.find(netlist.outputs, port);
      if (!found) found = netlist.find(netlist.inputs, port);
      // The netlist of an unprotected design has no alert.
      if (found) role->second->insert(role->second->end(), found->bits.begin(), found->bits.end());
      if (!found && word != "alert") throw InputError(where + ": the netlist has no port " + port);
    } else {
      throw InputError(where + ": unknown kind of line: " + word);
    }
    if (!in) throw InputError(where + ": a value is missing");
  }
  for (const Row& row : rows)
    if (row.look == Look::kFirst || row.look == Look::kAgain) slots = std::max(slots, row.slot + 1);
  if (rows.empty() || begin >= rows.size()) throw InputError(path + ": it has no rows, or begins after the last");
}

}  // namespace faults
