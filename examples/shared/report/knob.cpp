#include "examples/shared/report/knob.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/check.h"
#include "core/options/edit_distance.h"
#include "examples/shared/report/program.h"

namespace gradus::examples {
namespace {

// What is wrong with the value of an option; empty: nothing.
std::string name_error(const std::vector<std::string>& names, const std::string& given) {
  if (std::find(names.begin(), names.end(), given) != names.end()) return "";
  return fmt::format("there is no '{}'; did you mean '{}'? The known ones: {}", given, nearest(given, names), fmt::join(names, ", "));
}

std::string number_error(const Knob& knob, const std::string& given) {
  char* end = nullptr;
  const double x = std::strtod(given.c_str(), &end);
  const bool decimal = !std::isfinite(x) || given.find_first_not_of("+-.0123456789eE") == std::string::npos;
  if (given.empty() || *end != '\0' || !decimal) return fmt::format("'{}' is not a number", given);
  if (x >= knob.least && x <= knob.most) return "";
  const Knob any{knob.flag, knob.value, ""};
  if (knob.most != any.most) return fmt::format("a number from {} to {}, not {}", knob.least, knob.most, given);
  return knob.least != any.least ? fmt::format("a number, at least {}, not {}", knob.least, given) : "a finite number, not " + given;
}

// For an argument that is no option: the nearest one.
std::string unknown(const CLI::App& app) {
  const std::vector<std::string> left = app.remaining();
  const auto option = std::find_if(left.begin(), left.end(), [](const std::string& text) { return text.rfind("-", 0) == 0; });
  if (option == left.end()) return fmt::format("'{}' belongs to no option; --help names them", left.front());
  std::vector<std::string> flags;
  for (const CLI::Option* known : app.get_options()) flags.push_back(known->get_name());
  const std::string name = option->substr(0, option->find('='));
  return fmt::format("unknown option '{}'; did you mean '{}'? --help names all", name, nearest(lower_case(name), flags));
}

}  // namespace

template <typename T> std::string whole_number_error(const std::string& given) {
  T value;
  const auto [end, failure] = std::from_chars(given.data(), given.data() + given.size(), value);
  if (failure == std::errc::result_out_of_range)
    return fmt::format("{} is out of range, which ends at {}", given, std::numeric_limits<T>::max());
  const bool all = failure == std::errc() && end == given.data() + given.size();
  const bool plain = given.find_first_not_of("-0") == given.find_first_not_of('-') || given == "0";  // else it reads as octal
  return all && plain ? "" : fmt::format("'{}' is not a whole decimal number", given);
}
template std::string whole_number_error<std::int64_t>(const std::string&);
template std::string whole_number_error<std::uint64_t>(const std::string&);

std::string empty_error(const std::string& given) { return given.empty() ? "the value is empty" : ""; }

void add_knob(CLI::App& app, const Knob& knob) {
  const std::string help = knob.help + (knob.names.empty() ? "" : fmt::format(": {}", fmt::join(knob.names, ", ")));
  std::visit(
      [&](auto* value) {
        using Value = std::remove_pointer_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, bool>) {
          app.add_flag(knob.flag, *value, help);
        } else if constexpr (std::is_same_v<Value, std::string>) {
          CLI::Option* option = app.add_option(knob.flag, *value, help)->capture_default_str();
          if (!knob.names.empty()) option->check([names = knob.names](const std::string& given) { return name_error(names, given); });
        } else {
          CLI::Option* option = app.add_option(knob.flag, *value, help)->capture_default_str();
          option->check([knob](const std::string& given) {
            const std::string whole = std::is_integral_v<Value> ? whole_number_error<std::int64_t>(given) : "";
            return whole.empty() ? number_error(knob, given) : whole;
          });
        }
      },
      knob.value);
}

bool parse_command_line(CLI::App& app, std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  try {
    app.parse(words);
  } catch (const CLI::Success&) {
    say(app.help());
    return false;
  } catch (const CLI::ExtrasError&) {
    throw ValueError(unknown(app));
  } catch (const CLI::ParseError& error) {
    throw ValueError(fmt::format("{}; --help names the options", error.what()));
  }
  return true;
}

bool parse_command_line(CLI::App& app, int argc, const char* const* argv) { return parse_command_line(app, {argv + 1, argv + argc}); }

}  // namespace gradus::examples
