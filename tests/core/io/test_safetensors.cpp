#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/inspect/compare.h"
#include "core/io/safetensors.h"
#include "core/tensor/create.h"
#include "core/tensor/half.h"
#include "tests/core/io/full_disk.h"
#include "tests/core/io/safetensors_bytes.h"
#include "tests/core/io/temporary_directory.h"
#include "tests/support/failing_new.h"

using namespace gradus;
using io::read_safetensors;
using io::SafeTensors;
using io::write_safetensors;

TEST_CASE("safetensors: every dtype, shape and the metadata come back") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("all.safetensors");
  SafeTensors saved;
  for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::i64}) {
    const std::string name(name_of(dtype));
    saved.tensors[name] = tensor({{1, -2, 3}, {0, 5, 60000}}, dtype);
    saved.tensors[name + " scalar"] = full({}, 7, dtype);
    saved.tensors[name + " empty"] = Tensor({2, 0, 3}, dtype);
  }
  saved.tensors["层.0 \"γ\"\n"] = from_vector(std::vector<double>{0.1, -0.0, INFINITY, NAN, 1e-310}, {5});
  saved.metadata = {{"format", "pt"}, {"empty", ""}, {"键", "值"}};
  write_safetensors(path, saved);

  const SafeTensors loaded = read_safetensors(path);
  CHECK(loaded.metadata == saved.metadata);
  REQUIRE(loaded.tensors.size() == saved.tensors.size());
  for (const auto& [name, x] : saved.tensors) {
    CAPTURE(name);
    CHECK(equal(loaded.tensors.at(name), x));
  }
  write_safetensors(directory.file("again"), loaded);
  CHECK(read_bytes(directory.file("again")) == read_bytes(path));
  CHECK(directory.count() == 2);
}

TEST_CASE("safetensors: no tensors at all") {
  const TemporaryDirectory directory;
  write_safetensors(directory.file("none"), {});
  CHECK(read_bytes(directory.file("none")) == whole_file("{}      ", ""));
  CHECK(read_safetensors(directory.file("none")).tensors.empty());
}

TEST_CASE("safetensors: the bytes are those of the format") {
  const TemporaryDirectory directory;
  SafeTensors contents;
  contents.tensors["b"] = from_vector(std::vector<float>{1, -2}, {2, 1});
  contents.tensors["c"] = from_vector(std::vector<int64_t>{258}, {});
  contents.metadata["k"] = "v";
  write_safetensors(directory.file("x"), contents);
  std::string header = R"({"__metadata__":{"k":"v"},"c":{"dtype":"I64","shape":[],"data_offsets":[0,8]},)"
                       R"("b":{"dtype":"F32","shape":[2,1],"data_offsets":[8,16]}})";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  const std::string data(
      "\x02\x01\0\0\0\0\0\0"  // 258
      "\0\0\x80\x3f"          // 1
      "\0\0\0\xc0",           // -2
      16);
  CHECK(read_bytes(directory.file("x")) == whole_file(header, data));
}

TEST_CASE("safetensors: narrow dtypes are widened, entries may come in any order") {
  const std::string data(
      "\xff\xff\xff\xff\x07\0\0\0"  // -1, 7 as I32
      "\x80\x3f\x20\xc0"            // 1, -2.5 as BF16
      "\xff\x00"                    // 255, 0 as U8
      "\x01\x00"                    // true, false
      "\xff\x7f"                    // -1, 127 as I8
      "\xfe\xff"                    // -2 as I16
      "\xfe\xff"                    // 65534 as U16
      "\xff\xff\xff\xff",           // 4294967295 as U32
      26);
  const SafeTensors loaded = parse(whole_file(R"({"flags":{"dtype":"BOOL","shape":[2],"data_offsets":[14,16]},)"
                                              R"("bytes":{"dtype":"U8","shape":[2],"data_offsets":[12,14]},)"
                                              R"("none":{"dtype":"F32","shape":[0],"data_offsets":[8,8]},)"
                                              R"("ints":{"dtype":"I32","shape":[2,1],"data_offsets":[0,8]},)"
                                              R"("i8":{"dtype":"I8","shape":[2],"data_offsets":[16,18]},)"
                                              R"("i16":{"dtype":"I16","shape":[1],"data_offsets":[18,20]},)"
                                              R"("u16":{"dtype":"U16","shape":[1],"data_offsets":[20,22]},)"
                                              R"("u32":{"dtype":"U32","shape":[1],"data_offsets":[22,26]},)"
                                              R"("brain":{"dtype":"BF16","shape":[2],"data_offsets":[8,12],"more":1}}  )",
                                              data));
  CHECK(equal(loaded.tensors.at("ints"), tensor({{-1}, {7}}, DType::i64)));
  CHECK(equal(loaded.tensors.at("brain"), tensor({1, -2.5})));
  CHECK(equal(loaded.tensors.at("bytes"), tensor({255, 0}, DType::i64)));
  CHECK(equal(loaded.tensors.at("flags"), tensor({1, 0}, DType::i64)));
  CHECK(equal(loaded.tensors.at("i8"), tensor({-1, 127}, DType::i64)));
  CHECK(loaded.tensors.at("i16").item() == -2);
  CHECK(loaded.tensors.at("u16").item() == 65534);
  CHECK(loaded.tensors.at("u32").item() == 4294967295);
  CHECK(loaded.tensors.at("none").numel() == 0);
}

TEST_CASE("safetensors: a write that fails leaves the old file whole and nothing else") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("model");
  write_safetensors(path, {.tensors = {{"x", tensor({1, 2})}}});
  const std::string before = read_bytes(path);
  {
    const FullDisk full_disk(4096);
    CHECK_THROWS_AS(write_safetensors(path, {.tensors = {{"x", zeros({4096})}}}), IoError);
  }
  CHECK_THROWS_AS(write_safetensors(path, {.tensors = {{"x", Tensor()}}}), IoError);
  CHECK_THROWS_AS(write_safetensors(path, {.tensors = {{"__metadata__", ones({1})}}}), IoError);
  CHECK_THROWS_AS(write_safetensors(path, {.tensors = {{"\xff", ones({1})}}}), IoError);
  CHECK(read_bytes(path) == before);
  CHECK(directory.count() == 1);

  CHECK_THROWS_AS(write_safetensors(directory.file("missing/model"), {}), IoError);
  CHECK_THROWS_AS(write_safetensors("/dev/full", {}), IoError);
  CHECK(std::filesystem::is_character_file("/dev/full"));
  CHECK_THROWS_AS(write_safetensors(directory.file(""), {}), IoError);
  CHECK_THROWS_AS(read_safetensors(directory.file("missing")), IoError);
  CHECK_THROWS_AS(read_safetensors(directory.file("")), IoError);
}

TEST_CASE("safetensors: replacing a file keeps its permissions and the links to it") {
  namespace fs = std::filesystem;
  const TemporaryDirectory directory;
  const std::string path = directory.file("model"), link = directory.file("latest");
  write_safetensors(path, {});
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(path, link);
  write_safetensors(link, {.tensors = {{"x", tensor({1, 2})}}});
  CHECK(fs::is_symlink(link));
  CHECK(fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(read_safetensors(path).tensors.size() == 1);

  const std::string ahead = directory.file("ahead");  // of a file that is not there yet
  fs::create_symlink("later", ahead);
  write_safetensors(ahead, {});
  CHECK(fs::is_symlink(ahead));
  CHECK(fs::exists(directory.file("later")));
}

TEST_CASE("safetensors: whichever allocation fails, a write is an error, and leaves the old file or the new one") {
  const TemporaryDirectory directory;
  SafeTensors contents{.metadata = {{"a key", "a value that is too long to be stored within a string"}}};
  for (const char* name : {"blocks.0.norm.gain", "blocks.0.attention.q_proj.weight"}) contents.tensors[name] = ones({2, 3});
  write_safetensors(directory.file("x"), contents);
  const std::string before = read_bytes(directory.file("x"));
  const auto afterwards = [&] {
    CHECK(read_bytes(directory.file("x")) == before);
    CHECK(directory.count() == 1);  // the temporary file is gone
  };
  const auto failed = test::fail_each_allocation([&] { write_safetensors(directory.file("x"), contents); }, afterwards);
  CHECK(failed > 10);
}
