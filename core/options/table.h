// Tables: the variants of one kind of part (norms, placements, …), which flags, tests and docs iterate, and the
// choice of one of them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/check.h"
#include "core/options/edit_distance.h"

namespace gradus {

// A row of a table.
template <typename T> struct Variant {
  std::string_view name;        // on the command line
  std::string_view formula_id;  // in the docs, the code and the tests
  T value;                      // such as a factory
};

// What is said where a table has no row of the wanted name.
std::string unknown_variant(std::string_view table, std::string_view wanted, const std::vector<std::string>& names);

// All variants of one kind of part.
template <typename T> struct Table {
  std::string_view name;  // what messages call such a part: "norm"
  std::vector<Variant<T>> variants;

  // The row of this name, in upper or lower case. ValueError with the nearest name for an unknown one.
  const Variant<T>& find(std::string_view wanted) const {
    const std::string lower = lower_case(wanted);
    for (const auto& variant : variants) {
      if (variant.name == lower) return variant;
    }
    std::vector<std::string> names;
    for (const auto& variant : variants) names.emplace_back(variant.name);
    throw ValueError(unknown_variant(name, wanted, names));
  }
};

// A function that makes a part from options, and traits: what is known of its parts before it makes one.
template <typename Part, typename Options, typename Traits> struct Factory : std::function<Part(const Options&)> {
  template <typename Make>
  requires std::is_invocable_r_v<Part, Make&, const Options&>
  Factory(Make make, Traits its_traits = {}) : std::function<Part(const Options&)>(std::move(make)), traits(its_traits) {}
  Traits traits;
};

// Never called: its return type is that of the options that a factory takes, NoOptions for a factory that takes none.
template <typename Part, typename Options> Options options_of(const std::function<Part(const Options&)>&);
struct NoOptions {};
template <typename Part> NoOptions options_of(const std::function<Part()>&);

// One variant of a family whose values are factories, as an option holds it: a row of the family's table, by its
// name, or a factory of one's own.
//
//   using NormChoice = Choice<norms>;   // const Table<MakeNorm>& norms();
//   NormChoice norm = "layer";          // ValueError with the nearest name for an unknown one
//   norm = [](const NormOptions& o) { return std::make_unique<MyNorm>(o.width); };
//   LayerPtr made = norm.make({.width = 4});
template <auto& family> struct Choice {
  using Value = std::decay_t<decltype(family().variants.front().value)>;
  using Options = decltype(options_of(std::declval<Value>()));

  template <typename Name>
  requires std::is_convertible_v<const Name&, std::string_view>
  Choice(const Name& row) : Choice(family().find(row)) {}

  Choice(std::nullptr_t) = delete;  // neither a name nor a factory

  template <typename Own>
  requires(std::is_constructible_v<Value, Own> && !std::is_convertible_v<const Own&, std::string_view> &&
           !std::is_same_v<std::decay_t<Own>, Choice>)
  Choice(Own&& own) : name("own"), value(std::forward<Own>(own)) {}

  // A new part. ValueError if the factory is empty, or gives nullptr.
  auto make(const Options& options) const {
    check<ValueError>(static_cast<bool>(value), "{} '{}' is no function", family().name, name);
    auto part = call(options);
    check<ValueError>(part != nullptr, "{} '{}' made nothing", family().name, name);
    return part;
  }

  // Are both the same row? False for factories of one's own, which cannot be compared.
  friend bool operator==(const Choice& a, const Choice& b) { return a.name == b.name && a.name != "own"; }

  std::string name;  // the row's, or "own"
  Value value;

 private:
  explicit Choice(const Variant<Value>& row) : name(row.name), value(row.value) {}

  auto call(const Options& options) const {
    if constexpr (std::is_same_v<Options, NoOptions>) {
      return value();
    } else {
      return value(options);
    }
  }
};

}  // namespace gradus
