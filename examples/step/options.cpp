#include "examples/step/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/options/edit_distance.h"
#include "examples/shared/expression/expression.h"
#include "examples/shared/report/knob.h"

namespace gradus::examples {
namespace {

constexpr const char* kDescription =
    "Steps through the backward walk of an expression, of a chapter's numbers by\n"
    "hand, or of a saved trace. On a terminal keys move (? names them); into a pipe\n"
    "the whole walk is written as text.\n\n"
    "  ./examples/run step 'tanh(u*v+w)^2' --u 0.5 --v 2 --w -0.7\n"
    "  ./examples/run step 's = a+b; p = a*b; s + p + s*p' --a 2 --b 3 --naive\n"
    "  ./examples/run step 'sum(softmax(u @ W) * [1, 0])' --u '[1, 2]' \\\n"
    "    --W '[[1, 0], [0.5, -1]]'\n\n"
    "Operators + - * / @ ^, vectors [1, 2], the functions of core/ops/ops.h, detach,\n"
    "and activations; s = …; gives a name.";

void add_options(CLI::App& app, StepOptions& o, std::string& dtype) {
  app.set_help_flag("--help", "print this");
  app.allow_extras();
  app.add_option("--chapter", o.chapter, "step through the numbers by hand of a chapter: ch04")->type_name("chNN")->check(empty_error);
  app.add_option("--trace", o.trace, "step through a trace that inspect::write_json has saved")->type_name("FILE")->check(empty_error);
  app.add_option("--html", o.html, "write the viewer with this walk, one page")->type_name("FILE")->check(empty_error);
  app.add_option("--json", o.json, "write the trace")->type_name("FILE")->check(empty_error);
  app.add_option("--dtype", dtype, "of the variables: f64, f32 or f16")->default_str("f64");
  app.add_flag("--naive", o.naive, "walk by naive recursion too, and show where it counts twice (with a terminal always)");
  app.add_flag("--create-graph", o.create_graph, "keep the ops that the rules are made of (with a terminal always)");
  app.add_flag("--ascii", o.ascii, "no other characters, and no colour");
  app.add_flag("--text", o.text, "write text on a terminal too");
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) names.push_back(option->get_name());
  return names;
}

// Do both name one file, however they are spelled? "" names none.
bool same_file(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  if (one.empty() || other.empty()) return false;
  std::error_code none;  // a path that cannot be looked at is refused when it is opened
  return fs::weakly_canonical(fs::absolute(one, none), none) == fs::weakly_canonical(fs::absolute(other, none), none);
}

// What is not an option of the program: the expression, and --NAME VALUE or --NAME=VALUE for its variables.
void read_rest(const std::vector<std::string>& rest, StepOptions& o) {
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i].rfind("--", 0) != 0) {
      check<ValueError>(o.expression.empty(), "one expression was expected; besides '{}' there is '{}'. Put it in quotes: '…'",
                        o.expression, rest[i]);
      o.expression = rest[i];
      continue;
    }
    const std::size_t equals = rest[i].find('=');
    const std::string name = rest[i].substr(2, equals == std::string::npos ? equals : equals - 2);
    const bool within = equals != std::string::npos;
    check<ValueError>(within || i + 1 < rest.size(), "--{}: the value is missing", name);
    const std::string value = within ? rest[i].substr(equals + 1) : rest[++i];
    check<ValueError>(o.values.emplace(name, value).second, "--{} is given twice", name);
  }
}

// Has each variable a value, and each value a variable?
void check_variables(const StepOptions& o, const std::vector<std::string>& options) {
  const Expression expression = parse(o.expression);
  std::vector<std::string> known = options;
  for (const int i : expression.variables) {
    const Term& variable = expression.terms[static_cast<std::size_t>(i)];
    const std::string flag = "--" + variable.name;
    const bool taken = std::find(options.begin(), options.end(), flag) != options.end();
    if (taken) {
      throw ExpressionError(o.expression, variable.column,
                            fmt::format("{} is an option of this program; call the variable otherwise", flag));
    }
    known.push_back(flag);
  }
  for (const auto& [name, value] : o.values) {
    const bool found = std::find(known.begin(), known.end(), "--" + name) != known.end();
    check<ValueError>(found, "'--{}' is neither a variable of the expression nor an option; did you mean '{}'? --help names the options",
                      name, nearest("--" + name, known));
  }
  for (const int i : expression.variables) {
    const Term& variable = expression.terms[static_cast<std::size_t>(i)];
    if (o.values.count(variable.name) == 0) {
      throw ExpressionError(o.expression, variable.column,
                            fmt::format("'{0}' has no value; give it one, as in --{0} 0.5 or --{0} '[1, 2]'", variable.name));
    }
  }
}

}  // namespace

bool read_step_options(int argc, const char* const* argv, StepOptions& options) {
  CLI::App app(kDescription, "step");
  std::string dtype = "f64";
  add_options(app, options, dtype);
  if (!parse_command_line(app, argc, argv)) return false;
  const std::pair<const char*, DType> dtypes[] = {{"f64", DType::f64}, {"f32", DType::f32}, {"f16", DType::f16}};
  const auto* found = std::find_if(std::begin(dtypes), std::end(dtypes), [&](const auto& d) { return d.first == dtype; });
  check<ValueError>(found != std::end(dtypes), "--dtype: '{}' is none of f64, f32, f16", dtype);
  options.dtype = found->second;
  check<ValueError>(!same_file(options.html, options.json) && !same_file(options.html, options.trace),
                    "--html: {} is the file of --json or --trace; give the page another name", options.html);
  check<ValueError>(!same_file(options.json, options.trace), "--json: {} is the file of --trace; give the copy another name", options.json);
  read_rest(app.remaining(), options);
  if (options.expression.empty() && options.trace.empty() && options.chapter.empty() && !options.values.empty()) {
    const auto& [name, value] = *options.values.begin();
    throw ValueError(fmt::format("there is no expression: '{}' was taken as the value of --{}; did you mean '{}'?", value, name,
                                 nearest("--" + name, option_names(app))));
  }
  const int given = !options.expression.empty() + !options.trace.empty() + !options.chapter.empty();
  check<ValueError>(given == 1,
                    "{} an expression, as in  step 'tanh(u*v+w)^2' --u 0.5 --v 2 --w -0.7,  a chapter, as in  step --chapter ch04,"
                    "  or a trace, as in  step --trace FILE",
                    given == 0 ? "give" : "give one of");
  if (!options.expression.empty()) check_variables(options, option_names(app));
  check<ValueError>(!options.expression.empty() || options.values.empty(), "--{}: a trace has no variables to set",
                    options.values.empty() ? "" : options.values.begin()->first);
  return true;
}

}  // namespace gradus::examples
