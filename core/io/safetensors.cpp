#include "core/io/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <vector>

#include "core/io/file.h"
#include "core/tensor/check.h"

namespace gradus::io {
namespace {

using Json = nlohmann::json;

static_assert(std::endian::native == std::endian::little, "the format's bytes are used as they are");

constexpr std::uint64_t kMaxHeader = 100'000'000;  // the format's own limit
constexpr std::uint64_t kAlignment = 8;
constexpr const char* kMetadata = "__metadata__";

// --- dtypes -------------------------------------------------------------------------------------------------

template <typename From> void widen_integer(const std::string& raw, Tensor& y) {
  auto* target = y.mutable_data<int64_t>();
  for (std::size_t i = 0; i < raw.size() / sizeof(From); ++i) {
    From value;
    std::memcpy(&value, raw.data() + i * sizeof(From), sizeof(From));
    target[i] = value;
  }
}

void widen_bool(const std::string& raw, Tensor& y) {
  std::transform(raw.begin(), raw.end(), y.mutable_data<int64_t>(), [](char byte) { return byte != 0; });
}

// bfloat16 is the upper half of a float.
void widen_bfloat16(const std::string& raw, Tensor& y) {
  auto* target = static_cast<char*>(y.mutable_bytes());
  std::memset(target, 0, raw.size() * 2);
  for (std::size_t i = 0; i < raw.size(); i += 2) std::memcpy(target + 2 * i + 2, raw.data() + i, 2);
}

struct Encoding {
  const char* name;
  std::uint64_t bytes;  // of one element in the file
  DType dtype;          // in memory
  // Where the two differ:
  void (*widen)(const std::string& raw, Tensor& y) = nullptr;
};

// The first one of a dtype is how it is written.
constexpr Encoding kEncodings[] = {
    {"F32", 4, DType::f32},
    {"F64", 8, DType::f64},
    {"F16", 2, DType::f16},
    {"I64", 8, DType::i64},
    {"I32", 4, DType::i64, widen_integer<std::int32_t>},
    {"U8", 1, DType::i64, widen_integer<std::uint8_t>},
    {"BOOL", 1, DType::i64, widen_bool},
    {"BF16", 2, DType::f32, widen_bfloat16},
};

const char* encoding_of(DType dtype) {
  const auto same = [&](const Encoding& encoding) { return encoding.dtype == dtype; };
  return std::find_if(std::begin(kEncodings), std::end(kEncodings), same)->name;
}

// --- reading the header -------------------------------------------------------------------------------------

struct Entry {
  std::string name;
  const Encoding* encoding;
  Shape shape;
  std::uint64_t begin, end;  // of its bytes, counted from the end of the header
};

std::string read_header(InputFile& file) {
  std::uint64_t length = 0;
  check<IoError>(file.remaining() >= sizeof length,
                 "{}: a safetensors file begins with 8 bytes of header length, this one has {} bytes", file.path(),
                 file.remaining());
  file.read(&length, sizeof length);
  check<IoError>(length <= kMaxHeader && length <= file.remaining(),
                 "{}: a header of {} bytes is announced, expected at most {}; is this a safetensors file?",
                 file.path(), length, std::min(kMaxHeader, file.remaining()));
  std::string header = file.read_string(length);
  check<IoError>(length > 0 && header[0] == '{', "{}: the header does not begin with '{{'", file.path());
  return header;
}

// Refuses what the JSON parser itself would take: a key that comes twice, and values nested deeper than any entry.
class Strict {
 public:
  explicit Strict(const std::string& path) : path_(path) {}

  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    using Event = Json::parse_event_t;
    check<IoError>(depth <= 3, "{}: the header is nested too deeply", path_);
    if (event == Event::object_start) keys_.emplace_back();
    if (event == Event::object_end) keys_.pop_back();
    if (event == Event::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      check<IoError>(keys_.back().insert(key).second, "{}: the header has the name '{}' twice", path_, key);
    }
    return true;
  }

 private:
  const std::string& path_;
  std::vector<std::set<std::string>> keys_;  // of the objects that are open
};

Json parse_json(const std::string& path, const std::string& header) {
  try {
    return Json::parse(header, Strict(path));
  } catch (const Json::exception& error) {
    throw IoError(fmt::format("{}: the header is not valid JSON: {}", path, error.what()));
  }
}

// `where` names the file and the tensor in the errors below.
std::vector<std::uint64_t> unsigned_list(const std::string& where, const Json& entry, const char* key) {
  const auto found = entry.find(key);
  check<IoError>(found != entry.end() && found->is_array(), "{}: {} must be a list", where, key);
  std::vector<std::uint64_t> numbers;
  for (const Json& item : *found) {
    check<IoError>(item.is_number_unsigned() && item.get<std::uint64_t>() <= INT64_MAX,
                   "{}: {} must be integers from 0 to 2^63-1", where, key);
    numbers.push_back(item.get<std::uint64_t>());
  }
  return numbers;
}

const Encoding& parse_encoding(const std::string& where, const Json& entry) {
  const auto found = entry.find("dtype");
  check<IoError>(found != entry.end() && found->is_string(), "{}: dtype must be a string", where);
  const auto& name = found->get_ref<const std::string&>();
  for (const Encoding& encoding : kEncodings) {
    if (name == encoding.name) return encoding;
  }
  throw IoError(fmt::format("{}: dtype {} is not supported; convert it to F32, F64, F16, BF16, I64, I32, U8 or BOOL",
                            where, name));
}

Entry parse_entry(const std::string& path, const std::string& name, const Json& entry) {
  const std::string where = fmt::format("{}: tensor '{}'", path, name);
  check<IoError>(entry.is_object(), "{}: expected {{dtype, shape, data_offsets}}, got {}", where, entry.type_name());
  const Encoding& encoding = parse_encoding(where, entry);
  const auto sizes = unsigned_list(where, entry, "shape");
  const auto offsets = unsigned_list(where, entry, "data_offsets");
  check<IoError>(sizes.size() <= kMaxRank, "{}: {} axes, but a tensor has at most {}", where, sizes.size(), kMaxRank);
  check<IoError>(offsets.size() == 2 && offsets[0] <= offsets[1],
                 "{}: data_offsets must be [begin, end], begin <= end", where);
  Shape shape;
  std::uint64_t bytes = encoding.bytes;
  bool overflow = false;
  for (std::uint64_t size : sizes) {
    shape.push_back(static_cast<int64_t>(size));
    overflow |= __builtin_mul_overflow(bytes, size, &bytes);
  }
  check<IoError>(!overflow && bytes == offsets[1] - offsets[0],
                 "{}: {} of shape {} does not fill the {} bytes of its data_offsets", where, encoding.name, shape,
                 offsets[1] - offsets[0]);
  return {name, &encoding, shape, offsets[0], offsets[1]};
}

void parse_metadata(const std::string& path, const Json& metadata, SafeTensors& result) {
  check<IoError>(metadata.is_object(), "{}: {} must be an object of strings", path, kMetadata);
  for (const auto& item : metadata.items()) {
    check<IoError>(item.value().is_string(), "{}: {}: '{}' must be a string", path, kMetadata, item.key());
    result.metadata[item.key()] = item.value().get<std::string>();
  }
}

// Sorted by their place in the file, which they must fill exactly.
void check_layout(const InputFile& file, std::vector<Entry>& entries) {
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return std::tie(a.begin, a.end) < std::tie(b.begin, b.end); });
  std::uint64_t expected = 0;
  for (const Entry& entry : entries) {
    check<IoError>(entry.begin == expected,
                   "{}: tensor '{}' begins at byte {} of the data, expected {} (no overlap, no gaps)", file.path(),
                   entry.name, entry.begin, expected);
    expected = entry.end;
  }
  check<IoError>(expected == file.remaining(), "{}: the tensors need {} bytes of data, the file has {}", file.path(),
                 expected, file.remaining());
}

Tensor read_tensor(InputFile& file, const Entry& entry) {
  Tensor result(entry.shape, entry.encoding->dtype);
  const std::uint64_t bytes = entry.end - entry.begin;
  if (entry.encoding->widen == nullptr) {
    file.read(result.mutable_bytes(), bytes);
  } else {
    entry.encoding->widen(file.read_string(bytes), result);
  }
  return result;
}

// --- writing ------------------------------------------------------------------------------------------------

using Item = std::pair<const std::string, Tensor>;

std::uint64_t bytes_of(const Tensor& x) { return static_cast<std::uint64_t>(x.numel()) * size_of(x.dtype()); }

// Wide elements first, so that every tensor is aligned to its own element size.
std::vector<const Item*> in_file_order(const std::string& path, const SafeTensors& contents) {
  std::vector<const Item*> items;
  for (const Item& item : contents.tensors) {
    check<IoError>(item.second.defined(), "{}: tensor '{}' is undefined and cannot be written", path, item.first);
    check<IoError>(item.first != kMetadata, "{}: no tensor can be named {}; use `metadata`", path, kMetadata);
    items.push_back(&item);
  }
  std::stable_sort(items.begin(), items.end(), [](const Item* a, const Item* b) {
    return size_of(a->second.dtype()) > size_of(b->second.dtype());
  });
  return items;
}

std::string make_header(const std::string& path, const SafeTensors& contents, const std::vector<const Item*>& items) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (!contents.metadata.empty()) json[kMetadata] = contents.metadata;
  std::uint64_t begin = 0;
  for (const Item* item : items) {
    const Tensor& x = item->second;
    const std::uint64_t end = begin + bytes_of(x);
    json[item->first] = {
        {"dtype", encoding_of(x.dtype())}, {"shape", x.shape().vector()}, {"data_offsets", {begin, end}}};
    begin = end;
  }
  std::string header;
  try {
    header = json.dump();
  } catch (const Json::exception& error) {
    throw IoError(fmt::format("{}: names and metadata must be UTF-8: {}", path, error.what()));
  }
  header.resize((header.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  check<IoError>(header.size() <= kMaxHeader, "{}: the header would have {} bytes, the format allows {}", path,
                 header.size(), kMaxHeader);
  return header;
}

}  // namespace

SafeTensors read_safetensors(const std::string& path) {
  InputFile file(path);
  const Json header = parse_json(path, read_header(file));
  SafeTensors result;
  std::vector<Entry> entries;
  for (const auto& item : header.items()) {
    if (item.key() == kMetadata) {
      parse_metadata(path, item.value(), result);
    } else {
      entries.push_back(parse_entry(path, item.key(), item.value()));
    }
  }
  check_layout(file, entries);
  for (const Entry& entry : entries) result.tensors.emplace(entry.name, read_tensor(file, entry));
  return result;
}

void write_safetensors(const std::string& path, const SafeTensors& contents) {
  const std::vector<const Item*> items = in_file_order(path, contents);
  const std::string header = make_header(path, contents, items);
  const std::uint64_t length = header.size();
  OutputFile file(path);
  file.write(&length, sizeof length);
  file.write(header.data(), length);
  for (const Item* item : items) file.write(item->second.bytes(), bytes_of(item->second));
  file.commit();
}

}  // namespace gradus::io
