#include "core/io/safetensors_header.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "core/check.h"

namespace gradus::io {
namespace {

using Json = nlohmann::json;

// Takes the words of the JSON as they come. What no header has is refused at once: a key twice, a list that is longer and
// values that are nested deeper than any entry's.
class HeaderReader final : public Json::json_sax_t {
 public:
  explicit HeaderReader(const std::string& path) : path_(path) {}

  SafeTensorsHeader result = {};

  bool null() override { return take(nullptr); }
  bool boolean(bool value) override { return take(value); }
  bool number_integer(std::int64_t value) override { return take(value); }
  bool number_unsigned(std::uint64_t value) override { return take(value); }
  bool number_float(double value, const std::string&) override { return take(value); }
  bool string(std::string& value) override { return take(std::move(value)); }
  bool binary(Json::binary_t&) override { return false; }  // JSON has none
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(std::string& key) override {
    check<IoError>(is_new(key), "{}: the header has the name '{:.100}' twice", path_, key);
    check<IoError>(fields_.size() <= kMostFields, "{}: more than {} fields", where(), kMostFields);
    check<IoError>(result.tensors.size() + result.metadata.size() <= kMostNames, "{}: the header has more than {} names", path_,
                   kMostNames);
    if (depth_ < kItems) (depth_ == kNames ? name_ : field_) = std::move(key);
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const Json::exception& error) override {
    throw IoError(fmt::format("{}: the header is not valid JSON: {:.200}", path_, error.what()));
  }

 private:
  enum Depth { kOutside, kNames, kFields, kItems };  // how many objects and lists are open
  static constexpr std::size_t kMostFields = 16;     // three have a meaning

  std::string where() const { return fmt::format("{}: tensor '{:.100}'", path_, name_); }

  bool is_new(const std::string& key) {
    if (depth_ == kNames) return key == kMetadata ? !std::exchange(metadata_seen_, true) : result.tensors.count(key) == 0;
    if (name_ == kMetadata) return result.metadata.count(key) == 0;
    return depth_ != kFields || fields_.insert(key).second;  // what has no meaning may hold what it likes
  }

  // The list that the field names, with the most that it may hold.
  std::pair<std::vector<std::int64_t>*, std::size_t> list() {
    if (field_ == "shape") return {&sizes_, kMaxRank};
    if (field_ == "data_offsets") return {&offsets_, 2};
    return {nullptr, 0};
  }

  bool take(Json value) {
    if (name_ == kMetadata) {
      take_metadata(std::move(value));
    } else if (depth_ == kNames) {
      throw IoError(fmt::format("{}: expected {{dtype, shape, data_offsets}}, got {}", where(), value.type_name()));
    } else if (depth_ == kFields) {
      take_field(value);
    } else {
      take_item(value);
    }
    return true;
  }

  void take_metadata(Json value) {
    check<IoError>(depth_ == kFields, "{}: {} must be an object of strings", path_, kMetadata);
    check<IoError>(value.is_string(), "{}: {}: '{:.100}' must be a string", path_, kMetadata, field_);
    result.metadata.emplace(field_, std::move(value.get_ref<std::string&>()));
  }

  void take_field(const Json& value) {
    check<IoError>(list().first == nullptr || value.is_array(), "{}: {} must be a list", where(), field_);
    if (field_ != "dtype") return;
    check<IoError>(value.is_string(), "{}: dtype must be a string", where());
    dtype_ = value.get<std::string>();
  }

  void take_item(const Json& value) {
    const auto [numbers, most] = list();
    if (numbers == nullptr) return;
    check<IoError>(value.is_number_unsigned() && value.get<std::uint64_t>() <= INT64_MAX, "{}: {} must be integers from 0 to 2^63-1",
                   where(), field_);
    check<IoError>(numbers->size() < most, "{}: {} has more than {} numbers", where(), field_, most);
    numbers->push_back(value.get<std::int64_t>());
  }

  bool open(const Json& empty) {
    check<IoError>(depth_ < kItems, "{}: the header is nested too deeply", path_);
    if (depth_ == kNames && empty.is_object()) {
      begin_entry();
    } else if (depth_ != kOutside) {
      take(empty);
    }
    ++depth_;
    return true;
  }

  bool close() {
    if (--depth_ == kNames && name_ != kMetadata) end_entry();
    return true;
  }

  void begin_entry() {
    fields_.clear();
    dtype_.clear();
    sizes_.clear();
    offsets_.clear();
  }

  void end_entry() {
    check<IoError>(fields_.count("dtype") > 0, "{}: dtype must be a string", where());
    check<IoError>(fields_.count("shape") > 0, "{}: shape must be a list", where());
    check<IoError>(fields_.count("data_offsets") > 0, "{}: data_offsets must be a list", where());
    check<IoError>(offsets_.size() == 2 && offsets_[0] <= offsets_[1], "{}: data_offsets must be [begin, end], begin <= end", where());
    result.tensors[name_] = {dtype_, Shape(sizes_), static_cast<std::uint64_t>(offsets_[0]), static_cast<std::uint64_t>(offsets_[1])};
  }

  const std::string& path_;
  int depth_ = kOutside;
  bool metadata_seen_ = false;
  std::string name_, field_;      // the last keys
  std::set<std::string> fields_;  // of the entry that is open, as the rest
  std::string dtype_;
  std::vector<std::int64_t> sizes_, offsets_;
};

}  // namespace

SafeTensorsHeader parse_header(const std::string& path, const std::string& text) {
  // The JSON parser would take it for the end.
  check<IoError>(text.find('\0') == std::string::npos, "{}: the header is not valid JSON: it holds a zero byte", path);
  HeaderReader reader(path);
  Json::sax_parse(text, &reader);
  return std::move(reader.result);
}

}  // namespace gradus::io
