#include "core/io/safetensors.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/check.h"
#include "core/io/data_size.h"
#include "core/io/encoding.h"
#include "core/io/file.h"
#include "core/io/safetensors_header.h"

namespace gradus::io {
namespace {

using Json = nlohmann::json;

static_assert(std::endian::native == std::endian::little, "the format's bytes are used as they are");

constexpr std::uint64_t kMaxHeader = 100'000'000;  // the format's own limit
constexpr std::uint64_t kAlignment = 8;

// --- reading the header -------------------------------------------------------------------------------------

std::string read_json_header(InputFile& file) {
  std::uint64_t length = 0;
  check<IoError>(file.remaining() >= sizeof length, "{}: a safetensors file begins with 8 bytes of header length, this one has {} bytes",
                 file.path(), file.remaining());
  file.read(&length, sizeof length);
  check<IoError>(length <= kMaxHeader && length <= file.remaining(),
                 "{}: a header of {} bytes is announced, expected at most {}; is this a safetensors file?", file.path(), length,
                 std::min(kMaxHeader, file.remaining()));
  std::string header = file.read_string(length);
  check<IoError>(length > 0 && header[0] == '{', "{}: the header does not begin with '{{'", file.path());
  return header;
}

using Entry = SafeTensorsHeader::Entry;
using NamedEntry = std::pair<const std::string, Entry>;

// The encoding that the entry names, in which its shape must fill its bytes.
const Encoding& encoding_of_entry(const std::string& path, const std::string& name, const Entry& entry) {
  const Encoding* encoding = find_encoding(&Encoding::safetensors, entry.dtype);
  check<IoError>(encoding != nullptr, "{}: tensor '{:.100}': dtype {:.20} is not supported; convert it to one of {}", path, name,
                 entry.dtype, names_of_encodings(&Encoding::safetensors));
  check<IoError>(data_size(entry.shape, encoding->bytes) == entry.end - entry.begin,
                 "{}: tensor '{:.100}': {} of shape {} does not fill the {} bytes of its data_offsets", path, name, entry.dtype,
                 entry.shape, entry.end - entry.begin);
  return *encoding;
}

// By their place in the file, which they must fill exactly.
std::vector<const NamedEntry*> in_order(const InputFile& file, const SafeTensorsHeader& header) {
  std::vector<const NamedEntry*> entries;
  for (const NamedEntry& entry : header.tensors) entries.push_back(&entry);
  const auto place = [](const NamedEntry* entry) { return std::pair(entry->second.begin, entry->second.end); };
  std::sort(entries.begin(), entries.end(), [&](const auto* a, const auto* b) { return place(a) < place(b); });
  std::uint64_t expected = 0;
  for (const NamedEntry* entry : entries) {
    check<IoError>(entry->second.begin == expected, "{}: tensor '{:.100}' begins at byte {} of the data, expected {} (no overlap, no gaps)",
                   file.path(), entry->first, entry->second.begin, expected);
    expected = entry->second.end;
  }
  check<IoError>(expected == file.remaining(), "{}: the tensors need {} bytes of data, the file has {}", file.path(), expected,
                 file.remaining());
  return entries;
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
  std::stable_sort(items.begin(), items.end(),
                   [](const Item* a, const Item* b) { return size_of(a->second.dtype()) > size_of(b->second.dtype()); });
  return items;
}

// The text as JSON has it. Only strings are made by the library: its objects need memory to be destroyed.
std::string quoted(const std::string& path, const std::string& text) {
  try {
    return Json(text).dump();
  } catch (const Json::exception& error) {
    throw IoError(fmt::format("{}: names and metadata must be UTF-8: {}", path, error.what()));
  }
}

std::string make_header(const std::string& path, const SafeTensors& contents, const std::vector<const Item*>& items) {
  check<IoError>(items.size() + contents.metadata.size() <= kMostNames, "{}: {} tensors and {} texts, but a file holds at most {}", path,
                 items.size(), contents.metadata.size(), kMostNames);
  std::vector<std::string> members, texts;
  for (const auto& [key, value] : contents.metadata) texts.push_back(fmt::format("{}:{}", quoted(path, key), quoted(path, value)));
  if (!texts.empty()) members.push_back(fmt::format("\"{}\":{{{}}}", kMetadata, fmt::join(texts, ",")));
  std::uint64_t begin = 0;
  for (const Item* item : items) {
    const Tensor& x = item->second;
    const std::uint64_t end = begin + bytes_of(x);
    members.push_back(fmt::format(R"({}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})", quoted(path, item->first),
                                  encoding_of(x.dtype()).safetensors, fmt::join(x.shape().vector(), ","), begin, end));
    begin = end;
  }
  std::string header = fmt::format("{{{}}}", fmt::join(members, ","));
  header.resize((header.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  check<IoError>(header.size() <= kMaxHeader, "{}: the header would have {} bytes, the format allows {}", path, header.size(), kMaxHeader);
  return header;
}

}  // namespace

SafeTensors read_safetensors(const std::string& path) {
  InputFile file(path);
  SafeTensorsHeader header = parse_header(path, read_json_header(file));
  for (const auto& [name, entry] : header.tensors) encoding_of_entry(path, name, entry);  // all, before anything is read
  SafeTensors result{.metadata = std::move(header.metadata)};
  for (const NamedEntry* item : in_order(file, header)) {
    const auto& [name, entry] = *item;
    result.tensors.emplace(name, read_tensor(file, entry.shape, encoding_of_entry(path, name, entry)));
  }
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
