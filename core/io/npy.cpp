#include "core/io/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <string_view>
#include <vector>

#include "core/io/data_size.h"
#include "core/io/encoding.h"
#include "core/io/file.h"
#include "core/tensor/xtensor.h"

// xtensor's reader believes the sizes in the header, does not notice missing data, misreads the length of headers with more
// than 127 bytes, and its writer copies the data twice.
namespace gradus::io {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are stored little-endian");

struct Header {
  std::string descr;
  bool fortran_order = false;
  Shape shape;
};

// The header is a Python dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
class Parser {
 public:
  Parser(const std::string& path, std::string_view text) : path_(path), rest_(text) {}

  Header header() {
    Header result;
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!take('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr" && !std::exchange(descr, true)) {
        result.descr = quoted();
      } else if (key == "fortran_order" && !std::exchange(order, true)) {
        result.fortran_order = boolean();
      } else if (key == "shape" && !std::exchange(shape, true)) {
        result.shape = tuple();
      } else {
        fail("an unknown or repeated key");
      }
      if (!take(',') && peek() != '}') fail("expected ',' or '}'");
    }
    if (peek() != '\0') fail("something follows the '}'");
    if (!descr || !order || !shape) fail("descr, fortran_order or shape is missing");
    return result;
  }

 private:
  // The next character that is no space; '\0' at the end.
  char peek() {
    const std::size_t start = std::min(rest_.find_first_not_of(" \n"), rest_.size());
    rest_.remove_prefix(start);
    return rest_.empty() ? '\0' : rest_.front();
  }

  bool take(char wanted) {
    if (rest_.empty() || peek() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char wanted) {
    if (!take(wanted)) fail(fmt::format("expected '{}'", wanted));
  }

  std::string_view first(std::size_t count) {
    const std::string_view part = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return part;
  }

  std::string_view quoted() {
    if (peek() == '[') fail("a structured dtype has no tensor; save each of its fields");
    expect('\'');
    const std::size_t end = rest_.find('\'');
    if (end == std::string_view::npos) fail("a string without end");
    const std::string_view text = first(end);
    expect('\'');
    return text;
  }

  bool boolean() {
    const bool yes = peek() == 'T';
    if (first(std::min<std::size_t>(rest_.size(), yes ? 4 : 5)) != (yes ? "True" : "False")) {
      fail("fortran_order must be True or False");
    }
    return yes;
  }

  Shape tuple() {
    std::vector<int64_t> sizes;
    expect('(');
    while (!take(')')) {
      sizes.push_back(integer());
      if (!take(',') && peek() != ')') fail("expected ',' or ')' in shape");
    }
    check<IoError>(sizes.size() <= kMaxRank, "{}: the array has {} axes, a tensor has at most {}; save array.reshape(…)", path_,
                   sizes.size(), kMaxRank);
    return Shape(sizes);
  }

  int64_t integer() {
    if (peek() < '0' || peek() > '9') fail("shape must hold integers, 0 or more");
    int64_t value = 0;
    bool overflow = false;
    while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
      overflow |= __builtin_mul_overflow(value, 10, &value);
      overflow |= __builtin_add_overflow(value, first(1)[0] - '0', &value);
    }
    if (overflow) fail("a size in shape is too large");
    return value;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw IoError(fmt::format("{}: the npy header is malformed: {}, before '{}'", path_, what, rest_.substr(0, 20)));
  }

  const std::string& path_;
  std::string_view rest_;
};

// Magic string, version, length of the header, header. Versions 2 and 3 have a longer length.
Header read_header(InputFile& file) {
  const std::string magic = "\x93NUMPY";
  check<IoError>(file.remaining() >= 10 && file.read_string(magic.size()) == magic,
                 "{}: not a .npy file: it does not begin with \\x93NUMPY", file.path());
  const int version = file.read_string(2)[0];
  check<IoError>(version >= 1 && version <= 3, "{}: npy format version {} is unknown, expected 1 to 3", file.path(), version);
  std::uint32_t length = 0;
  file.read(&length, version == 1 ? 2 : 4);
  const std::string text = file.read_string(length);
  return Parser(file.path(), text).header();
}

const Encoding& encoding_of_descr(const std::string& path, const std::string& descr) {
  const Encoding* encoding = find_encoding(&Encoding::npy, descr);
  check<IoError>(encoding != nullptr, "{}: dtype '{}' is not supported; save array.astype(…) of one of {}", path, descr,
                 names_of_encodings(&Encoding::npy));
  return *encoding;
}

// Columns first in the file, rows first in memory.
Tensor from_fortran_order(const Tensor& stored) {
  return dispatch(stored.dtype(), [&]<typename T>() -> Tensor {
    const std::vector<std::size_t> sizes(stored.shape().begin(), stored.shape().end());
    return xt::adapt<xt::layout_type::column_major>(static_cast<const T*>(stored.data<T>()), static_cast<std::size_t>(stored.numel()),
                                                    xt::no_ownership(), sizes);
  });
}

// 128 bytes, as NumPy makes them, so that the data is aligned to 64: six sizes that make at most 2⁴⁸ elements fit.
std::string make_header(const Tensor& x) {
  constexpr std::size_t length = 118;
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", encoding_of(x.dtype()).npy,
                                 fmt::join(x.shape(), ", "), x.rank() == 1 ? "," : "");
  text.resize(length - 1, ' ');
  return std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(length) + '\0' + text + '\n';
}

}  // namespace

Tensor read_npy(const std::string& path) {
  InputFile file(path);
  const Header header = read_header(file);
  const Encoding& encoding = encoding_of_descr(path, header.descr);
  const std::uint64_t bytes = file.remaining();
  check<IoError>(data_size(header.shape, encoding.bytes) == bytes, "{}: {} of shape {} does not fit the {} bytes of data", path,
                 header.descr, header.shape, bytes);
  const Tensor result = read_tensor(file, header.shape, encoding);
  return header.fortran_order ? from_fortran_order(result) : result;
}

void write_npy(const std::string& path, const Tensor& x) {
  check<ValueError>(x.defined(), "write_npy: {}: the tensor is undefined", path);
  const std::string header = make_header(x);
  OutputFile file(path);
  file.write(header.data(), header.size());
  file.write(x.bytes(), static_cast<std::uint64_t>(x.numel()) * size_of(x.dtype()));
  file.commit();
}

}  // namespace gradus::io
