// A program of the build: reads an answer with its wrong lines, and writes C++ in which each of them can be switched on.
//
//   generate ANSWER.cpp OUTPUT.h
//
// A wrong line stands below the right one, in comments, so an answer compiles as it is. `//~ ID: CODE` is what somebody writes in
// place of what stands above: of a statement (also of several lines); of the head of a block, directly below it; or of a whole block,
// below its `}`. Below `// blank` it is added, and with a `return` in it that is another function. `//|` goes on with the code. `//?`
// asks the question, `//=` says in a few words what is wrong, `//@` where it was published. `//~ also ID: CODE` is the same mistake
// at a second place. `//~ 7 ID:` is asked for as the seventh; without numbers the order is that of the file, and after what has one.
// `//~ (convention) ID:` is right as well. `//+ CODE` is there whatever is switched on, for wrong lines that need it. What is written
// is the answer with an `if` around each such statement, `?:` in each such declaration or head, and a list of the mistakes. If two
// in one place are switched on, both are made where they change different words of it, else the first.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace {

using Texts = std::vector<std::string>;
using std::size_t;

struct Wrong {
  int number, flag;
  std::string id, question{}, words{}, source{}, asked{};
  bool convention = false;
};

struct Place {
  int flag;
  std::string code;
  bool also;
};

struct Case { std::string when, code; };  // made[3]; made[3] && made[5]
using Cases = std::vector<Case>;

std::string file;
int line_number = 0;

[[noreturn]] void fail(const std::string& what) {
  std::cerr << file << ":" << line_number << ": error: " << what << "\n";
  std::exit(1);
}

std::string trimmed(const std::string& text) {
  const size_t from = text.find_first_not_of(" \n"), to = text.find_last_not_of(" \n");
  return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

std::string quoted(const std::string& text) { return '"' + std::regex_replace(text, std::regex(R"(["\\])"), "\\$&") + '"'; }

// The pieces between these signs, outside of brackets; at most `most`.
Texts split(const std::string& text, const std::string& sign, size_t most = 100) {
  Texts pieces = {""};
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    depth += (std::strchr("([{", text[at]) != nullptr) - (std::strchr(")]}", text[at]) != nullptr);
    if (depth == 0 && pieces.size() < most && text.compare(at, sign.size(), sign) == 0) {
      pieces.emplace_back();
      at += sign.size() - 1;
    } else {
      pieces.back() += text[at];
    }
  }
  for (std::string& one : pieces) one = trimmed(one);
  return pieces;
}

// --- two mistakes in one place -------------------------------------------------------------------------------------------------

// Words and signs, each with the space before it.
Texts words_of(const std::string& code) {
  static const std::regex word(R"(\s*(\d[\d.]*e-?\d+|\w+(\.\d\w*)?|"[^"]*"|[-+*/%=<>!&|:]+|\S))");
  return Texts(std::sregex_token_iterator(code.begin(), code.end(), word), std::sregex_token_iterator());
}

// Where the words begin that differ from what is right, how many follow that do not, and what stands there.
struct Edit {
  size_t head, tail;
  Texts words;
};

Edit edit(const Texts& right, const Texts& wrong) {
  const size_t least = std::min(right.size(), wrong.size());
  size_t head = 0, tail = 0;
  while (head < least && trimmed(right[head]) == trimmed(wrong[head])) ++head;
  while (tail < least - head && trimmed(right.rbegin()[tail]) == trimmed(wrong.rbegin()[tail])) ++tail;
  return {head, tail, Texts(wrong.begin() + head, wrong.end() - tail)};
}

bool has_whole_brackets(const Texts& words) {
  int depth = 0;
  for (const std::string& word : words) {
    if (word.ends_with('(') || word.ends_with('[') || word.ends_with('{')) ++depth;
    if ((word.ends_with(')') || word.ends_with(']') || word.ends_with('}')) && --depth < 0) return false;
  }
  return depth == 0;
}

// Nothing if both change the same words, or one changes where a bracket opens or closes.
std::optional<std::string> with_both(const std::string& right, const std::string& one, const std::string& other) {
  const Texts words = words_of(right);
  Edit first = edit(words, words_of(one)), second = edit(words, words_of(other));
  if (first.head > second.head || first.tail < second.tail) std::swap(first, second);
  if (first.head >= second.head || words.size() - first.tail > second.head || one.empty() || other.empty()) return {};
  for (const Edit& edit : {first, second}) {
    if (!has_whole_brackets(edit.words) || !has_whole_brackets(Texts(words.begin() + edit.head, words.end() - edit.tail))) return {};
  }
  const Texts pieces[] = {{words.begin(), words.begin() + first.head},
                          first.words,
                          {words.end() - first.tail, words.begin() + second.head},
                          second.words,
                          {words.end() - second.tail, words.end()}};
  std::string code;
  for (const Texts& piece : pieces) {
    for (const std::string& word : piece) code += word;
    code += " ";
  }
  return trimmed(code);
}

// --- the right code with the wrong in it ---------------------------------------------------------------------------------------

std::string chain(const std::string& right, const Cases& cases) {
  std::string code;
  for (const Case& one : cases) code += "if (" + one.when + ") {\n" + one.code + "\n} else ";
  return code + "{\n" + right + "\n}";
}

std::string conditional(const std::string& right, const Cases& cases) {
  std::string code;
  for (const Case& one : cases) code += one.code == right ? "" : one.when + " ? (" + one.code + ") : ";
  return code.empty() ? right : code + "(" + right + ")";
}

// A part of the code of each case.
template <typename F> Cases parts(const Cases& cases, const F& part) {
  Cases result;
  for (const Case& one : cases) result.push_back({one.when, part(one.code)});
  return result;
}

// double sum = 0, mean = 0
std::string declaration(const std::string& right, const Cases& cases) {
  std::string code;
  const Texts all = split(right, ",");
  for (size_t i = 0; i < all.size(); ++i) {
    const Texts mine = split(all[i], " = ", 2);
    const auto value = [&](const std::string& wrong) {
      const Texts pieces = split(wrong, ","), one = i < pieces.size() ? split(pieces[i], " = ", 2) : Texts{};
      if (one.size() != mine.size() || one[0] != mine[0]) fail("it declares not what the right one does: " + wrong);
      return one.back();
    };
    code += (i == 0 ? "" : ", ") + mine[0] + (mine.size() == 1 ? "" : " = " + conditional(mine[1], parts(cases, value)));
  }
  return code;
}

bool declares(const std::string& code) {
  static const std::regex head(R"((const |static )*[\w:]+(<.*>)?[&*]? [&*]?\w+)");
  return split(code, " = ", 2).size() == 2 && std::regex_match(split(code, " = ", 2)[0], head);
}

// for (int i = 0; i < n; ++i) {
std::string head_of_block(const std::string& right, const Cases& cases) {
  const size_t open = right.find('(') + 1;
  const std::string sign = right.find(';') == std::string::npos ? " : " : ";";
  const auto inner = [&](const std::string& code) {
    if (code.substr(0, open) != right.substr(0, open) || code.back() != '{') fail("it is no such head: " + code);
    return split(code.substr(open, code.rfind(')') - open), sign);
  };
  const Texts all = inner(right);
  std::string code = right.substr(0, open);
  for (size_t i = 0; i < all.size(); ++i) {
    const Cases wrong = parts(cases, [&](const std::string& one) { return inner(one).at(i); });
    code += (i == 0 ? "" : sign + " ") + (declares(all[i]) ? declaration(all[i], wrong) : conditional(all[i], wrong));
  }
  return code + ") {";
}

std::string with_cases(const std::string& right, const Cases& cases) {
  if (std::regex_match(right, std::regex(R"((if|while|for) \([^]*\{)"))) return head_of_block(right, cases);
  if (!declares(right)) return chain(right, cases);
  const auto first = [](const std::string& code) { return split(code, ";", 2)[0]; };
  const auto rest = [](const std::string& code) { return split(code, ";", 2).back(); };  // what follows a wrong declaration
  return declaration(first(right), parts(cases, first)) + ";\n" + chain("", parts(cases, rest));
}

// --- an answer -----------------------------------------------------------------------------------------------------------------

class Answer {
 public:
  void read(const std::string& line);
  std::string text(const std::string& name);

 private:
  void read_code(std::string code);
  void read_wrong(const std::string& text);
  bool read_remark(const std::string& text);
  void switch_wrong();

  Texts includes_, code_;
  std::vector<size_t> blocks_;    // where those that are open begin, in code_
  size_t begun_ = 0, above_ = 0;  // where the statement begins that is not complete, and what stands above
  std::vector<Place> wrong_;      // in place of that
  std::string function_;
  std::map<std::string, std::vector<Wrong>> all_;  // of each function
  std::map<std::string, std::string> questions_;   // of each id
};

void Answer::read_wrong(const std::string& text) {
  static const std::regex form(R"(//~ (also )?(?:(\d+) )?(\(convention\) )?([\w/-]+):(?: (.*))?)");
  std::smatch found;
  if (!std::regex_match(text, found, form)) fail("a wrong line is `//~ ID: CODE`: " + text);
  std::vector<Wrong>& all = all_[function_];
  const int number = found[2].matched ? std::stoi(found[2]) : 0;
  if (found[1].matched) {
    const auto same = [&](const Wrong& one) { return one.id == found[4] && (number == 0 || one.number == number); };
    const auto known = std::find_if(all.rbegin(), all.rend(), same);
    if (known == all.rend()) fail("this mistake has no first place: " + text);
    wrong_.push_back({known->flag, found[5], true});
    return;
  }
  const int so_far = static_cast<int>(all.size()), flag = number > 0 ? number - 1 : 63 - so_far;
  const bool convention = found[3].matched;
  all.push_back({number > 0 ? number : 64 + so_far, flag, found[4], convention ? "" : questions_[found[4]]});
  all.back().convention = convention;
  wrong_.push_back({flag, found[5], false});
}

// What is said of the last wrong line.
bool Answer::read_remark(const std::string& text) {
  if (text.size() < 3 || text.find_first_of("|?=@") != 2) return false;
  if (wrong_.empty()) fail("there is no wrong line above: " + text);
  const std::string said = text.size() > 4 ? text.substr(4) : "";
  Wrong& one = all_[function_].back();
  if (text[2] == '|') wrong_.back().code += "\n" + said;
  if (text[2] == '?') one.question = questions_[one.id] = said;
  if (text[2] == '@') one.source = said;
  if (text[2] == '=') {
    const std::string asks = "(the task asks for ";
    const size_t at = std::min(said.find(asks), said.size());
    one.words = trimmed(said.substr(0, at));
    if (at < said.size()) one.asked = said.substr(at + asks.size(), said.size() - at - asks.size() - 1);
  }
  return true;
}

void Answer::switch_wrong() {
  if (wrong_.empty()) return;
  std::string right;
  for (size_t i = above_; i < code_.size(); ++i) right += (i == above_ ? "" : "\n") + code_[i];
  const auto made = [&](int flag) { return function_ + "_made[" + std::to_string(flag) + "]"; };
  std::stable_partition(wrong_.begin(), wrong_.end(), [](const Place& one) { return one.also; });  // whole rather than half
  Cases cases;
  for (const Place& one : wrong_) {
    for (const Place* other = &one + 1; other <= &wrong_.back(); ++other) {
      if (const auto both = with_both(right, one.code, other->code)) cases.push_back({made(one.flag) + " && " + made(other->flag), *both});
    }
  }
  for (const Place& one : wrong_) cases.push_back({made(one.flag), one.code});
  wrong_.clear();
  code_.resize(above_);
  code_.push_back(with_cases(right, cases));
  begun_ = code_.size();
}

void Answer::read_code(std::string code) {
  static const std::regex head(R"((?!using|struct|//).*?(\w+)\(.*)"), remark(R"(\s*//[^"]*$)");
  std::smatch found;
  if (blocks_.empty() && begun_ == code_.size() && std::regex_match(code, found, head)) function_ = found[1];
  code = trimmed(std::regex_replace(code, remark, ""));
  size_t from = begun_;
  code_.push_back(code);
  const bool opens = code.back() == '{';
  if (code[0] == '}') {
    from = blocks_.back();
    blocks_.pop_back();
  }
  if (opens) blocks_.push_back(from);
  if (!opens && code.back() != ';' && code.back() != '}') return;  // it goes on
  above_ = code[0] == '}' && opens ? code_.size() : from;          // an else has no head
  begun_ = code_.size();
}

void Answer::read(const std::string& line) {
  const std::string text = trimmed(line);
  if (text.starts_with("//~")) return read_wrong(text);
  if (text.empty() || read_remark(text)) return;
  switch_wrong();
  if (text.starts_with("#include")) {
    includes_.push_back(text);
  } else if (text.starts_with("//+")) {
    code_.push_back(text.substr(3));
    begun_ = above_ = code_.size();
  } else if (text.starts_with("//")) {
    if (begun_ == code_.size()) above_ = begun_;
  } else {
    read_code(line);
  }
}

std::string Answer::text(const std::string& name) {
  std::string text = "// Made of " + file + " by answers/generate.cpp.\n#pragma once\n#include \"examples/exercises/grader/exercise.h\"\n";
  for (const std::string& one : includes_) text += one + "\n";
  text += "namespace made_" + name + " {\n";
  for (const auto& one : all_) text += "inline gradus::exercises::Made " + one.first + "_made;\n";
  for (const std::string& one : code_) text += one + "\n";
  for (auto& [function, all] : all_) {
    std::stable_sort(all.begin(), all.end(), [](const Wrong& a, const Wrong& b) { return a.number < b.number; });
    text += "inline std::vector<gradus::exercises::Mistake> " + function + "_mistakes() {\nreturn {\n";
    for (const Wrong& one : all) {
      text += "{" + std::to_string(one.flag);
      for (const std::string* said : {&one.id, &one.question, &one.words, &one.source}) text += ", " + quoted(*said);
      text += std::string(one.convention ? ", true, " : ", false, ") + quoted(one.asked) + "},\n";
    }
    text += "};\n}\n";
  }
  return text + "}\n";
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;  // ANSWER.cpp NAME.h: a third would be an answer that is written over
  const std::filesystem::path path = arguments[1];
  file = path.filename().string();
  std::ifstream input(path);
  Answer answer;
  for (std::string line; std::getline(input, line);) {
    ++line_number;
    answer.read(line);
  }
  const std::string stem = path.stem().string();
  std::ofstream output(arguments[2]);
  output << answer.text(stem.substr(stem.find('_') + 1));
  return input.eof() && output.flush() ? 0 : 1;
}
