#include "envelope.hpp"

#include <algorithm>

namespace fuzz {
namespace {

constexpr unsigned kUint = 0, kBytes = 2, kText = 3, kArray = 4;
constexpr int kDepth = 12;

class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> data) : data_(data) {}

  bool good() const { return good_; }
  std::size_t at() const { return at_; }
  Bytes since(std::size_t begin) const { return {data_.begin() + begin, data_.begin() + at_}; }

  // The number of an item's head, of this kind.
  std::uint64_t head(unsigned major) {
    if (at_ >= data_.size() || data_[at_] >> 5 != major) return fail();
    const unsigned code = data_[at_++] & 31u;
    if (code < 24) return code;
    const std::size_t size = code < 28 ? std::size_t{1} << (code - 24) : 9;
    if (size > 8 || data_.size() - at_ < size) return fail();
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < size; ++i) number = number << 8 | data_[at_++];
    return number;
  }
  Bytes bytes() {
    const std::uint64_t size = head(kBytes);
    if (!good_ || size > data_.size() - at_) return fail(), Bytes{};
    const std::size_t begin = at_;
    at_ += size;
    return since(begin);
  }
  void skip(int depth = kDepth) {
    if (!good_ || !depth || at_ >= data_.size()) return void(fail());
    const unsigned major = data_[at_] >> 5;
    if (major == 7) return void(++at_);
    const std::uint64_t number = head(major);
    if (major == kBytes || major == kText) {
      if (number > data_.size() - at_) return void(fail());
      at_ += number;
    }
    for (std::uint64_t i = 0; major == kArray && i < number && good_; ++i) skip(depth - 1);
  }

 private:
  std::uint64_t fail() {
    good_ = false;
    return 0;
  }
  std::span<const std::uint8_t> data_;
  std::size_t at_ = 0;
  bool good_ = true;
};

void put_head(Bytes& out, unsigned major, std::size_t number) {
  const unsigned size = number < 24 ? 0 : number < 1u << 8 ? 1 : number < 1u << 16 ? 2 : 4;
  const unsigned codes[] = {static_cast<unsigned>(number), 24, 25, 0, 26};
  out.push_back(static_cast<std::uint8_t>(major << 5 | codes[size]));
  for (unsigned i = size; i-- > 0;) out.push_back(static_cast<std::uint8_t>(number >> 8 * i));
}

void put_bytes(Bytes& out, const Bytes& data) {
  put_head(out, kBytes, data.size());
  out.insert(out.end(), data.begin(), data.end());
}

}  // namespace

std::optional<Envelope> Envelope::open(std::span<const std::uint8_t> pack) {
  Reader reader(pack);
  Envelope found;
  reader.head(kArray);
  for (int i = 0; i < 3; ++i) reader.skip();
  found.head = reader.since(0);
  found.manifest = reader.bytes();
  const std::size_t signatures = reader.at();
  reader.skip();
  found.signatures = reader.since(signatures);
  const std::uint64_t parts = reader.head(kArray);
  for (std::uint64_t i = 0; i < parts && reader.good(); ++i) found.parts.push_back(reader.bytes());
  if (!reader.good()) return {};
  return found;
}

void Envelope::close_manifest() {
  Reader reader(manifest);
  reader.head(kArray);
  for (int i = 0; i < 5; ++i) reader.skip();
  const std::uint64_t count = reader.head(kArray);
  Bytes out = reader.since(0);
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, parts.size()) && reader.good(); ++i) {
    const std::size_t begin = reader.at();
    reader.head(kArray);
    reader.skip();
    reader.skip();
    const Bytes before = reader.since(begin);
    reader.skip();
    reader.skip();
    const std::size_t map = reader.at();
    reader.skip();
    const Bytes after = reader.since(map);
    out.insert(out.end(), before.begin(), before.end());
    put_head(out, kUint, parts[i].size());
    put_bytes(out, sha512(parts[i], LUTRA_DIGEST_BYTES));
    out.insert(out.end(), after.begin(), after.end());
  }
  if (!reader.good()) return;
  out.insert(out.end(), manifest.begin() + static_cast<std::ptrdiff_t>(reader.at()), manifest.end());
  manifest = out;
}

Bytes Envelope::pack() const {
  Bytes out = head;
  put_bytes(out, manifest);
  out.insert(out.end(), signatures.begin(), signatures.end());
  put_head(out, kArray, parts.size());
  for (const Bytes& part : parts) put_bytes(out, part);
  return out;
}

std::optional<Bytes> Envelope::first_root(std::span<const std::uint8_t> pack) {
  Reader reader(pack);
  reader.head(kArray);
  reader.skip();
  reader.skip();
  reader.head(kArray);
  reader.head(kArray);
  const Bytes root = reader.bytes();
  if (!reader.good()) return {};
  return sha512(root, LUTRA_DIGEST_BYTES);
}

}  // namespace fuzz
