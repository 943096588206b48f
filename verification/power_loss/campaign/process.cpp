// Processes by posix_spawn; a device's output comes through a pipe, its state only through the files.
#include "process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

extern char** environ;

namespace power_loss {
namespace {

void write_file(const std::string& path, const Bytes& bytes) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const bool whole = file >= 0 && write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  if (!whole || close(file) != 0) give_up("cannot write " + path);
}

std::string read_all(int pipe) {
  std::string all;
  char buffer[4096];
  for (ssize_t got; (got = read(pipe, buffer, sizeof buffer)) > 0;) all.append(buffer, static_cast<std::size_t>(got));
  return all;
}

}  // namespace

void give_up(const std::string& what) {
  std::fprintf(stderr, "power-loss: %s\n", what.c_str());
  std::exit(2);
}

Bytes read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) give_up("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

Life Bench::live(Image& image, const std::vector<std::string>& arguments) {
  ++lives_;
  const std::string flash = folder_ + "/flash", fuses = folder_ + "/fuses";
  write_file(flash, image.flash);
  write_file(fuses, image.fuses);

  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) give_up("cannot make a pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<std::string> words = {program_, folder_, "--geometry=" + geometry_};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawn(&child, program_.c_str(), &actions, nullptr, argv.data(), environ))
    give_up("cannot start " + program_);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  Life life;
  life.said = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  life.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);

  image.flash = read_file(flash);
  image.fuses = read_file(fuses);
  if (shows_) {
    std::string shown;
    for (const std::string& argument : arguments) shown += " " + argument;
    std::printf("$ device%s\n%s  exit code %d\n", shown.c_str(), life.said.c_str(), life.code);
  }
  return life;
}

}  // namespace power_loss
