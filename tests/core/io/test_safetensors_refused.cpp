#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <random>

#include "core/io/safetensors.h"
#include "core/tensor/create.h"
#include "tests/core/io/safetensors_bytes.h"
#include "tests/core/io/temporary_directory.h"

using namespace gradus;
using gradus::test::mentions;
using io::read_safetensors;
using io::SafeTensors;
using io::write_safetensors;

namespace {

std::int64_t peak() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

// How many bytes of memory reading the file takes, at most at a time: in a child, as a process's peak never falls.
std::int64_t memory_to_read(const std::string& path) {
  int ends[2] = {};
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::int64_t before = peak();
    try {
      read_safetensors(path);
    } catch (const IoError&) {
    }
    const std::int64_t taken = peak() - before;
    ::_exit(::write(ends[1], &taken, sizeof taken) == sizeof taken ? 0 : 1);
  }
  std::int64_t taken = 0;
  const bool told = ::read(ends[0], &taken, sizeof taken) == sizeof taken;
  for (const int end : ends) ::close(end);
  REQUIRE((child > 0 && ::waitpid(child, nullptr, 0) == child && told));
  return taken;
}

}  // namespace

TEST_CASE("safetensors: what does not fit together is an IoError that says so") {
  const auto entry = [](const char* dtype, const char* shape, const char* offsets) {
    return fmt::format(R"({{"x":{{"dtype":{},"shape":{},"data_offsets":{}}}}})", dtype, shape, offsets);
  };
  const std::string eight(8, '\1');
  CHECK(error_of(entry("\"F32\"", "[2]", "[0,8]"), eight).empty());

  CHECK(mentions(error_of(entry("\"F8_E4M3\"", "[8]", "[0,8]"), eight), "tensor 'x': dtype F8_E4M3 is not supported"));
  CHECK(mentions(error_of(entry("4", "[2]", "[0,8]"), eight), "dtype must be a string"));
  CHECK(mentions(error_of(entry("\"F32\"", "2", "[0,8]"), eight), "shape must be a list"));
  CHECK(mentions(error_of(entry("\"F32\"", "[-2]", "[0,8]"), eight), "shape must be integers"));
  CHECK(mentions(error_of(entry("\"F32\"", "[2.0]", "[0,8]"), eight), "shape must be integers"));
  CHECK(mentions(error_of(entry("\"F32\"", "[18446744073709551615]", "[0,8]"), eight), "shape must be integers"));
  CHECK(mentions(error_of(entry("\"F32\"", "[1,1,1,1,1,1,2]", "[0,8]"), eight), "shape has more than 6 numbers"));
  CHECK(mentions(error_of(entry("\"F32\"", "[3]", "[0,8]"), eight), "does not fill"));
  CHECK(mentions(error_of(entry("\"F32\"", "[4611686018427387904,2]", "[0,0]")), "does not fill"));
  CHECK(mentions(error_of(entry("\"F32\"", "[0,4611686018427387904,8]", "[0,0]")), "does not fill"));
  CHECK(mentions(error_of(entry("\"U8\"", "[0,9223372036854775807,2]", "[0,0]")), "does not fill"));
  CHECK(mentions(error_of(entry("\"F32\"", "[2]", "[8,0]"), eight), "data_offsets"));
  CHECK(mentions(error_of(entry("\"F32\"", "[2]", "[0,8,8]"), eight), "data_offsets"));
  CHECK(mentions(error_of(entry("\"F32\"", "[1]", "[4,8]"), eight), "begins at byte 4"));
  CHECK(mentions(error_of(entry("\"F32\"", "[1]", "[0,4]"), eight), "the file has 8"));
  CHECK(mentions(error_of(entry("\"F32\"", "[4]", "[0,16]"), eight), "the file has 8"));
  CHECK(mentions(error_of(R"({"x":{"dtype":"F32","shape":[2]}})", eight), "data_offsets must be a list"));
  CHECK(mentions(error_of(R"({"x":[1]})"), "expected {dtype, shape, data_offsets}, got array"));
  CHECK(mentions(error_of(R"({"x":1})"), "expected {dtype, shape, data_offsets}, got number"));
  CHECK(mentions(error_of(R"({"x":{"shape":[2],"data_offsets":[0,8]}})", eight), "dtype must be a string"));
  CHECK(mentions(error_of(R"({"x":{"dtype":["F32"],"shape":[2],"data_offsets":[0,8]}})", eight), "dtype must be a string"));
  CHECK(mentions(error_of(R"({"x":{"dtype":"F32","shape":{"a":2},"data_offsets":[0,8]}})", eight), "shape must be a list"));
  CHECK(mentions(error_of(R"({"x":{"dtype":"F32","more":{"shape":2},"data_offsets":[0,8]}})", eight), "shape must be a list"));
  CHECK(mentions(error_of(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                          R"("b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                          eight),
                 "'b' begins at byte 4"));
  CHECK(mentions(error_of(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},)"
                          R"("a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})"),
                 "'a' twice"));
  CHECK(mentions(error_of(R"({"x":{"dtype":"U8","shape":[0],"shape":[0],"data_offsets":[0,0]}})"), "'shape' twice"));
  CHECK(mentions(error_of(R"({"__metadata__":{"k":"a","k":"b"}})"), "'k' twice"));
  CHECK(mentions(error_of(R"({"__metadata__":{},"__metadata__":{}})"), "'__metadata__' twice"));
  CHECK(mentions(error_of(R"({"__metadata__":{"k":1}})"), "'k' must be a string"));
  CHECK(mentions(error_of(R"({"__metadata__":{"k":["v"]}})"), "'k' must be a string"));
  CHECK(mentions(error_of(R"({"__metadata__":"v"})"), "must be an object of strings"));
  CHECK(mentions(error_of(R"({"__metadata__":["v"]})"), "must be an object of strings"));
  CHECK(mentions(error_of(R"({"x":{"dtype":"U8","shape":[[[[[[]]]]]],"data_offsets":[0,0]}})"), "nested too deeply"));
  CHECK(mentions(error_of("{\"\xff\":1}"), "not valid JSON"));
  CHECK(mentions(error_of("{} x"), "not valid JSON"));
  CHECK(mentions(error_of(std::string("{}\0 hidden", 10)), "a zero byte"));
  CHECK(mentions(error_of(std::string("{}\0", 3)), "a zero byte"));
  CHECK(mentions(error_of("[]"), "does not begin with '{'"));
  CHECK(mentions(error_of(""), "does not begin with '{'"));
  CHECK_THROWS_AS(parse(little_endian(UINT64_MAX) + "{}"), IoError);
  CHECK_THROWS_AS(parse(little_endian(3) + "{}"), IoError);
}

TEST_CASE("safetensors: a message is short, however long what it quotes is") {
  const std::string megabyte(1 << 20, 'x');
  for (const std::string& header :
       {"{\"" + megabyte + "\":1}", "{\"" + megabyte, "{\"a\":{\"dtype\":\"" + megabyte + "\",\"shape\":[],\"data_offsets\":[0,0]}}",
        "{\"__metadata__\":{\"" + megabyte + "\":1}}", "{\"a\":" + megabyte + "}"}) {
    const std::string error = error_of(header);
    CHECK_FALSE(error.empty());
    CHECK(error.size() < 500);
  }
}

TEST_CASE("safetensors: a header takes little more memory than it has bytes, whatever it holds") {
  const std::string entry = R"("dtype":"F32","data_offsets":[0,0])";
  struct Row {
    std::string begin, word, end;
    std::int64_t bytes = 5'000'000;
  };
  for (const Row& row : {Row{"{\"x\":{" + entry + ",\"shape\":[0", "0", "]}}"},
                         {"{\"x\":{" + entry + ",\"more\":[0", "0", "]}}"},
                         {"{\"x\":{" + entry + ",\"more\":[[0]", "[0]", "]}}"},
                         {"{\"x\":{\"f\":0", "\"f#\":0", "}}"},
                         {"{\"x\":{\"more\":{\"f\":0", "\"f#\":0", "}}}"},
                         {"{\"x\":[0", "0", "]}"},
                         {"{\"__metadata__\":[0", "0", "]}"},
                         {"{\"__metadata__\":{\"k\":\"\"", "\"#\":\"\"", "}}"},
                         {"{\"x\":{" + entry + ",\"shape\":[0]}", "\"#\":{" + entry + ",\"shape\":[0]}", "}", 20'000'000}}) {  // too many
    CAPTURE(row.begin);
    std::string header = row.begin;
    for (int i = 0; static_cast<std::int64_t>(header.size() + row.word.size()) < row.bytes; ++i) {
      header += ',';
      for (const char letter : row.word) letter == '#' ? header += std::to_string(i) : header += letter;
    }
    const TemporaryDirectory directory;
    write_bytes(directory.file("x"), whole_file(header + row.end, ""));
    CHECK_THROWS_AS(read_safetensors(directory.file("x")), IoError);
#if !defined(__SANITIZE_ADDRESS__)  // which keeps what was freed
    CHECK(memory_to_read(directory.file("x")) < 4 * row.bytes);
#endif
  }
}

TEST_CASE("files: a name that is empty, has a NUL in it or is a link to itself is refused, and nothing takes another name") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("link"), cut = directory.file("cut");
  std::filesystem::create_symlink("link", path);
  const SafeTensors contents{{{"x", ones({2})}}, {}};
  CHECK_THROWS_WITH_AS(write_safetensors("", contents), "a file without a name can be neither read nor written", IoError);
  CHECK_THROWS_WITH_AS(read_safetensors(""), "a file without a name can be neither read nor written", IoError);
  CHECK_THROWS_WITH_AS(write_safetensors(path, contents), (path + ": a symbolic link that leads to itself").c_str(), IoError);
  const std::string with_nul = cut + std::string("\0.safetensors", 13),
                    said = cut + ": the name has a NUL in it, where the system would end it";
  CHECK_THROWS_WITH_AS(write_safetensors(with_nul, contents), said.c_str(), IoError);
  CHECK_THROWS_WITH_AS(read_safetensors(with_nul), said.c_str(), IoError);
  CHECK(std::filesystem::is_symlink(path));
  CHECK_FALSE(std::filesystem::exists(cut));
}

TEST_CASE("safetensors: a damaged file is refused or read, never more") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("x");
  SafeTensors contents;
  contents.tensors = {{"weight", tensor({{1, 2}, {3, 4}})}, {"ids", arange(3)}, {"scale", full({}, 2, DType::f16)}};
  contents.metadata["step"] = "10";
  write_safetensors(path, contents);
  const std::string good = read_bytes(path);

  for (std::size_t length = 0; length < good.size(); ++length) {
    CAPTURE(length);
    write_bytes(path, good.substr(0, length));
    CHECK_THROWS_AS(read_safetensors(path), IoError);
  }
  write_bytes(path, good + '\0');
  CHECK_THROWS_AS(read_safetensors(path), IoError);

  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string bad = good;
    for (auto flips = 1 + random() % 3; flips > 0; --flips) bad[random() % bad.size()] = static_cast<char>(random());
    write_bytes(path, bad);
    try {
      read_safetensors(path);
    } catch (const IoError&) {
      ++refused;
    }
  }
  CHECK(refused > 1000);
}
