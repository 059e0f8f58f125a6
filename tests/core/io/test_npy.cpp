#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "core/inspect/compare.h"
#include "core/io/npy.h"
#include "core/tensor/create.h"
#include "tests/core/io/temporary_directory.h"

using namespace gradus;
using io::read_npy;
using io::write_npy;

namespace {

// A file as NumPy writes it: version 1 with a length of 2 bytes, later ones with 4.
std::string npy(const std::string& header, const std::string& data, char version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += {version, '\0', static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)};
  if (version > 1) bytes.append(2, '\0');
  return bytes + header + data;
}

Tensor parse_npy(const std::string& bytes) {
  const TemporaryDirectory directory;
  write_bytes(directory.file("x.npy"), bytes);
  return read_npy(directory.file("x.npy"));
}

std::string floats(const std::vector<float>& values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace

TEST_CASE("npy: every dtype and shape comes back") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("x.npy");
  for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::i64}) {
    CAPTURE(dtype);
    for (const Tensor& x : {tensor({{1, -2, 3}, {4, 5, 6}}, dtype), full({}, 3, dtype), Tensor({0}, dtype), Tensor({2, 0, 3}, dtype),
                            ones({1, 2, 1, 2, 1, 2}, dtype)}) {
      write_npy(path, x);
      CHECK(equal(read_npy(path), x));
    }
  }
  write_npy(path, tensor({NAN, INFINITY, -0.0}));
  CHECK(equal(read_npy(path), tensor({NAN, INFINITY, -0.0})));
  CHECK(directory.count() == 1);
}

TEST_CASE("npy: a file that NumPy wrote") {
  const std::string data = floats({1, 2, 3, 4, 5, 6});
  const Tensor expected = tensor({{1, 2, 3}, {4, 5, 6}});
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  header.resize(117, ' ');
  CHECK(equal(parse_npy(npy(header + "\n", data)), expected));
  CHECK(equal(parse_npy(npy(header + "\n", data, 2)), expected));
  CHECK(equal(parse_npy(npy("{'shape':(2,3),'descr':'<f4','fortran_order':False}", data, 3)), expected));
  header.resize(181, ' ');  // the length's first byte is above 127
  CHECK(equal(parse_npy(npy(header + "\n", data)), expected));
}

TEST_CASE("npy: narrow dtypes are widened, as in a safetensors file") {
  const auto array = [](const char* descr, const char* order, const char* shape, const std::string& data) {
    return parse_npy(npy(fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}\n", descr, order, shape), data));
  };
  const auto bytes = [](const char* text, std::size_t n) { return std::string(text, n); };
  const auto ids = [](const std::vector<int64_t>& values) { return from_vector(values, {static_cast<int64_t>(values.size())}); };
  CHECK(equal(array("<i4", "False", "(2,)", bytes("\xff\xff\xff\xff\x07\0\0\0", 8)), ids({-1, 7})));
  CHECK(equal(array("<u4", "False", "(2,)", bytes("\xff\xff\xff\xff\x07\0\0\0", 8)), ids({4294967295, 7})));
  CHECK(equal(array("<i2", "False", "(2,)", bytes("\xfe\xff\x01\x01", 4)), ids({-2, 257})));
  CHECK(equal(array("<u2", "False", "(2,)", bytes("\xfe\xff\x01\x01", 4)), ids({65534, 257})));
  CHECK(equal(array("|i1", "False", "(2,)", bytes("\xff\x03", 2)), ids({-1, 3})));
  CHECK(equal(array("|u1", "False", "(2,)", bytes("\xff\x03", 2)), ids({255, 3})));
  CHECK(equal(array("|b1", "False", "(2,)", bytes("\x01\0", 2)), ids({1, 0})));
  CHECK(equal(array("<f2", "False", "(2,)", bytes("\x00\x3c\x00\xc1", 4)), tensor({1, -2.5}, DType::f16)));
  CHECK(equal(array("|u1", "True", "(2, 3)", bytes("\1\4\2\5\3\6", 6)), tensor({{1, 2, 3}, {4, 5, 6}}, DType::i64)));
  CHECK_THROWS_WITH_AS(array("<u8", "False", "(1,)", bytes("\1\0\0\0\0\0\0\0", 8)),
                       doctest::Contains("dtype '<u8' is not supported; save array.astype(…) of one of <f4, <f8, <f2, <i8, <i4, <i2, "
                                         "|i1, <u4, <u2, |u1, |b1"),
                       IoError);
}

TEST_CASE("npy: the bytes are those of NumPy, which aligns the data to 64") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("x.npy");
  const auto written = [&](const Tensor& x, std::string header) {
    header.resize(117, ' ');
    write_npy(path, x);
    const std::string data(static_cast<const char*>(x.bytes()), static_cast<std::size_t>(x.numel()) * size_of(x.dtype()));
    return read_bytes(path) == npy(header + "\n", data);
  };
  CHECK(written(tensor({{1, 2, 3}, {4, 5, 6}}), "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"));
  CHECK(written(tensor({1, 2}, DType::f16), "{'descr': '<f2', 'fortran_order': False, 'shape': (2,), }"));
  CHECK(written(tensor(7, DType::i64), "{'descr': '<i8', 'fortran_order': False, 'shape': (), }"));
  CHECK(written(Tensor({0, 1, 2, 100, 1000000, 1000000}, DType::f64),
                "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 1, 2, 100, 1000000, 1000000), }"));
}

TEST_CASE("npy: Fortran order becomes row-major") {
  const std::string header = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }\n";
  CHECK(equal(parse_npy(npy(header, floats({1, 4, 2, 5, 3, 6}))), tensor({{1, 2, 3}, {4, 5, 6}})));
}

TEST_CASE("npy: what cannot be read is an IoError") {
  const std::string one = floats({1});
  const auto header = [](const char* descr, const char* order, const char* shape) {
    return fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}\n", descr, order, shape);
  };
  CHECK(parse_npy(npy(header("'<f4'", "False", "(1,)"), one)).shape() == Shape{1});
  CHECK(parse_npy(npy(header("'<f4'", "False", "()"), one)).shape() == Shape{});

  CHECK_THROWS_WITH_AS(parse_npy(npy(header("'<c8'", "False", "(2,)"), one)), doctest::Contains("astype"), IoError);
  CHECK_THROWS_AS(parse_npy(npy(header("'>f4'", "False", "(1,)"), one)), IoError);
  CHECK_THROWS_WITH_AS(parse_npy(npy(header("[('a', '<f4')]", "False", "(1,)"), one)),
                       doctest::Contains("a structured dtype has no tensor"), IoError);
  CHECK_THROWS_AS(parse_npy(npy(header("'<f4'", "Maybe", "(1,)"), one)), IoError);
  CHECK_THROWS_AS(parse_npy(npy(header("'<f4'", "False", "(-1,)"), one)), IoError);
  CHECK_THROWS_AS(parse_npy(npy(header("'<f4'", "False", "(1"), one)), IoError);
  CHECK_THROWS_AS(parse_npy(npy(header("'<f4'", "False", "(1 1)"), one)), IoError);
  CHECK_THROWS_WITH_AS(parse_npy(npy(header("'<f4'", "False", "(1,1,1,1,1,1,1)"), one)),
                       doctest::Contains(": the array has 7 axes, a tensor has at most 6; save array.reshape(…)"), IoError);
  CHECK_THROWS_AS(parse_npy(npy(header("'<f4'", "False", "(99999999999999999999,)"), one)), IoError);
  CHECK_THROWS_AS(parse_npy(npy(header("'<f4'", "False", "(4611686018427387905, 4)"), one)), IoError);
  CHECK_THROWS_AS(parse_npy(npy(header("'<f4'", "False", "(0, 4611686018427387905, 4)"), "")), IoError);
  CHECK_THROWS_AS(parse_npy(npy(header("'<f4'", "False", "(2,)"), one)), IoError);
  CHECK_THROWS_AS(parse_npy(npy(header("'<f4'", "False", "(1,)"), one + one)), IoError);
  CHECK_THROWS_AS(parse_npy(npy("{'descr': '<f4', 'shape': (1,)}", one)), IoError);
  CHECK_THROWS_AS(parse_npy(npy("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", one)), IoError);
  CHECK_THROWS_AS(parse_npy(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x", one)), IoError);
  CHECK_THROWS_AS(parse_npy(npy(header("'<f4'", "False", "(1,)"), one, 4)), IoError);
  CHECK_THROWS_AS(parse_npy("PK\3\4 something else"), IoError);
  CHECK_THROWS_AS(parse_npy(""), IoError);
  CHECK_THROWS_AS(read_npy("/no/such/file.npy"), IoError);
}

TEST_CASE("npy: a damaged file is refused or read, never more") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("x.npy");
  write_npy(path, tensor({{1, 2}, {3, 4}}));
  const std::string good = read_bytes(path);
  for (std::size_t length = 0; length < good.size(); ++length) {
    CAPTURE(length);
    write_bytes(path, good.substr(0, length));
    CHECK_THROWS_AS(read_npy(path), IoError);
  }
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string bad = good;
    bad[random() % 70] = static_cast<char>(random());
    write_bytes(path, bad);
    try {
      read_npy(path);
    } catch (const IoError&) {
    }
  }
}

TEST_CASE("npy: what cannot be written is refused before the file is touched") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("x.npy");
  write_npy(path, ones({2}));
  CHECK_THROWS_AS(write_npy(path, Tensor()), ValueError);
  CHECK_THROWS_AS(write_npy(directory.file("missing/x.npy"), ones({2})), IoError);
  CHECK(equal(read_npy(path), ones({2})));
}
