// Images of a device between two of its lives, and a life: a fresh process on the two files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace power_loss {

using Bytes = std::vector<std::uint8_t>;

// State that survives a power loss.
struct Image {
  Bytes flash, fuses;
};

// The contents of a file; ends the campaign with a message if it does not exist.
Bytes read_file(const std::string& path);
[[noreturn]] void give_up(const std::string& what);

// How a life ended, and the device's output.
struct Life {
  int code = 0;  // exit code, or 128 and the signal
  std::string said;
};

// The folder of the files, and lives on them.
class Bench {
 public:
  // folder: for the files, on a file system in memory.
  Bench(std::string program, std::string folder, std::string geometry)
      : program_(std::move(program)), folder_(std::move(folder)), geometry_(std::move(geometry)) {}

  // One life from an image; steps and options in the device's form. The image becomes what the life left.
  Life live(Image& image, const std::vector<std::string>& arguments);
  std::uint64_t lives() const { return lives_; }
  void show() { shows_ = true; }  // every life from now on

 private:
  std::string program_, folder_, geometry_;
  bool shows_ = false;
  std::uint64_t lives_ = 0;
};

}  // namespace power_loss
