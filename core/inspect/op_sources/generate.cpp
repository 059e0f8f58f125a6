// A program of the build: reads the sources and writes the table of core/inspect/op_sources.h, so that a viewer can show
// the formula and the code of each op where they stand, and nobody keeps a second list.
//
//   generate ROOT OUTPUT FILE…    (files below ROOT)
//
// An op gets its name in one of three ways. What is shown of it:
//   return record("mul", …)            the function around this line; record_joint("cat", …) likewise
//   return record(op, …)               the function around this line, say extreme, for each extreme("max", …) in the file
//   fused("name", …, formula::name …)  the function formula::name; {"name", "Name", formula::name …} likewise
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace {

using Lines = std::vector<std::string>;
using std::size_t;

struct Source {
  std::string file, region{}, code{};
  size_t line = 0, rule_line = 0;
  Lines formulas{}, parameters{};
};

Lines read_lines(const std::string& path) {
  std::ifstream stream(path);
  Lines lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

const std::string mark = "// #";  // of a region's first and last line

bool starts_with(const std::string& text, const std::string& head) { return text.rfind(head, 0) == 0; }

// The names of the tensors that a function takes: a, b of "Tensor mul(const Tensor& a, const Tensor& b) {".
Lines tensor_parameters(const std::string& signature) {
  static const std::regex tensor(R"(const Tensors?& (\w+))");
  Lines names;
  for (std::sregex_iterator i(signature.begin(), signature.end(), tensor), end; i != end; ++i) names.push_back((*i)[1]);
  return names;
}

// "y = a ⊙ b      dL/da = …" in pieces; what does not begin with y or dL/d is a remark.
void add_formulas(const std::string& comment, Lines& formulas) {
  static const std::regex gap(R"( {3,})"), formula(R"((y|dL/d)\S* \+?= .*)");
  for (std::sregex_token_iterator i(comment.begin(), comment.end(), gap, -1), end; i != end; ++i) {
    if (std::regex_match(i->str(), formula)) formulas.push_back(*i);
  }
}

class File {
 public:
  File(const std::string& root, std::string path) : path_(std::move(path)), lines_(read_lines(root + "/" + path_)) {}

  void find_ops(std::map<std::string, Source>& ops) const {
    static const std::regex recorded(R"-(\b(record|record_joint)\((?:"(\w+)"|(\w+),))-");
    static const std::regex joined(R"-(\bfused\("(\w+)")-");
    static const std::regex named_formula(R"-(\{"(\w+)", "[^"]+", )-");
    std::smatch found;
    for (size_t i = 0; i < lines_.size(); ++i) {
      if (starts_with(lines_[i], "//") || starts_with(lines_[i], "Tensor record")) continue;
      const std::string call = call_at(i);
      if (std::regex_search(call, found, recorded)) {
        const std::optional<Source> source = function_around(i);
        if (!source) continue;
        if (found[2].matched) ops.emplace(found[2], *source);
        else
          for (const std::string& name : names_given_to(*source)) ops.emplace(name, *source);
      } else if (std::regex_search(call, found, joined) || std::regex_search(call, found, named_formula)) {
        if (std::optional<Source> source = formula_named_after(i)) {
          source->rule_line = i + 1;
          ops.emplace(found[1], *source);
        }
      }
    }
  }

 private:
  // Line i; with the next, if it ends before the first argument of a call.
  std::string call_at(size_t i) const {
    const std::string& line = lines_[i];
    if (line.empty() || line.back() != '(' || i + 1 == lines_.size()) return line;
    return line + lines_[i + 1].substr(std::min(lines_[i + 1].find_first_not_of(' '), lines_[i + 1].size()));
  }

  // The function whose body holds line i; nothing for one that is not written by the rules of this tree.
  std::optional<Source> function_around(size_t i) const {
    size_t first = i, last = i;
    while (first > 0 && !std::isalpha(static_cast<unsigned char>(lines_[first].empty() ? ' ' : lines_[first][0]))) --first;
    while (last < lines_.size() && lines_[last] != "}" && !(last == first && ends_at_once(last))) ++last;
    if (!starts_with(lines_[first], "Tensor ") || last == lines_.size()) return std::nullopt;
    Source source{.file = path_, .line = first + 1, .rule_line = rule_after(i, last) + 1};
    std::string signature;
    for (size_t line = first; line <= last; ++line) {
      if (signature.find('{') == std::string::npos) signature += lines_[line];
      source.code += lines_[line] + '\n';
    }
    source.parameters = tensor_parameters(signature.substr(0, signature.find('{')));
    for (size_t line = first; line-- > 0 && starts_with(lines_[line], "//") && !starts_with(lines_[line], mark);) {
      Lines above;
      add_formulas(lines_[line].substr(lines_[line].find_first_not_of("/ ")), above);
      source.formulas.insert(source.formulas.begin(), above.begin(), above.end());
    }
    if (source.formulas.empty()) formula_from_code(source);
    source.region = region_of(first);
    return source;
  }

  bool ends_at_once(size_t line) const {
    return lines_[line].size() > 2 && lines_[line].find('{') != std::string::npos && lines_[line].back() == '}';
  }

  // The rule is the first lambda that takes a step; where there is none, the op itself.
  size_t rule_after(size_t i, size_t last) const {
    for (size_t line = i; line <= last; ++line) {
      if (lines_[line].find("(const Step& step)") != std::string::npos) return line;
    }
    return i;
  }

  // A function that is one return says what y is.
  static void formula_from_code(Source& source) {
    static const std::regex only_return(R"(\{\s*return ([^;{}]+);\s*\}\s*$)");
    std::smatch found;
    if (std::regex_search(source.code, found, only_return)) source.formulas.push_back("y = " + found[1].str());
  }

  std::string region_of(size_t line) const {
    Lines open;
    for (size_t i = 0; i <= line; ++i) {
      if (starts_with(lines_[i], mark + "region ")) open.push_back(lines_[i].substr(11));
      if (starts_with(lines_[i], mark + "endregion") && !open.empty()) open.pop_back();
    }
    return open.empty() ? "" : open.back();
  }

  // "max" and "min", where this function was called with them.
  Lines names_given_to(const Source& source) const {
    static const std::regex name_of_function(R"(^Tensor (\w+)\(const char\* \w+)");
    std::smatch found;
    Lines names;
    if (!std::regex_search(source.code, found, name_of_function)) return names;
    const std::regex call("\\b" + found[1].str() + R"-(\("(\w+)")-");
    for (const std::string& line : lines_) {
      for (std::sregex_iterator i(line.begin(), line.end(), call), end; i != end; ++i) names.push_back((*i)[1]);
    }
    return names;
  }

  // The function formula::NAME of the first NAME after line i, in this statement.
  std::optional<Source> formula_named_after(size_t i) const {
    static const std::regex use(R"(\bformula::(\w+))");
    std::smatch found;
    for (size_t line = i; line < lines_.size(); ++line) {
      if (std::regex_search(lines_[line], found, use)) {
        const std::string head = "Tensor formula::" + found[1].str() + "(";
        for (size_t definition = 0; definition < lines_.size(); ++definition) {
          if (starts_with(lines_[definition], head)) return function_around(definition);
        }
        return std::nullopt;
      }
      if (lines_[line].find(';') != std::string::npos) return std::nullopt;
    }
    return std::nullopt;
  }

  std::string path_;
  Lines lines_;
};

std::string raw(const std::string& text) { return "R\"~~~~(" + text + ")~~~~\""; }

std::string list(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : ", ") + raw(line);
  return "{" + text + "}";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  std::map<std::string, Source> ops;
  for (int i = 3; i < argc; ++i) File(argv[1], argv[i]).find_ops(ops);
  std::ofstream out(argv[2]);
  out << "// Generated from the sources.\n#include <algorithm>\n#include <array>\n\n#include \"core/inspect/op_sources.h\"\n\n"
         "namespace gradus::inspect {\nconst OpSource* source_of(std::string_view op) {\n"
         "  static const std::map<std::string, OpSource, std::less<>> table{\n";
  for (const auto& [name, s] : ops) {
    out << fmt::format("    {{\"{}\", {{\"{}\", {}, {}, \"{}\", {}, {}, {}}}}},\n", name, s.file, s.line, s.rule_line, s.region,
                       list(s.formulas), list(s.parameters), raw(s.code));
  }
  out << "  };\n  const auto found = table.find(op);\n  return found == table.end() ? nullptr : &found->second;\n}\n"
         "}  // namespace gradus::inspect\n";
  out.flush();
  return out ? 0 : 1;
}
