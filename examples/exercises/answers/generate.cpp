// A program of the build: reads an answer with its texts and its wrong lines, and writes C++ that makes an exercise of it, in which
// each of the wrong lines can be switched on.
//
//   generate 10_rms_norm.cpp OUTPUT.h
//
// The file's name has the exercise's number and id; the comment at its head names the sections of the book that it needs, its own
// first. `//! title: …`, and likewise minutes, needs and done, stand below. In a function, `// blank` begins what a student writes,
// and each `//! …` is a hint. A text that goes on begins with more spaces.
//
// A wrong line stands below the right one, in comments, so an answer compiles as it is. `//~ ID: CODE` is what somebody writes in
// place of what stands above: of a statement (also of several lines); of the head of a block, directly below it; or of a whole block,
// below its `}`. Below `// blank` it is added, and with a `return` in it that is another function. `//|` goes on with the code. `//?`
// asks the question, `//=` says in a few words what is wrong, `//@` where it was published. `//~ also ID: CODE` is the same mistake
// at a second place. `//~ 7 ID:` is asked for as the seventh; without numbers the order is that of the file, and after what has one.
// `//~ (convention) ID:` is right as well. `//+ CODE` is there whatever is switched on, for wrong lines that need it. What is written
// is the answer with an `if` around each such statement, `?:` in each such declaration or head, and a list of the mistakes. If two
// in one place are switched on, both are made where they change different words of it, else the first; `//~ alone ID:` is made with
// no other, as what comes of two may be no C++.
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

// What a student is to write.
struct Function {
  std::string name;
  std::vector<Wrong> wrong = {};
  Texts hints = {};
};

struct Place {
  int flag;
  std::string code;
  bool also, alone;
};

// The texts of an answer's head, and what they look like.
const std::map<std::string, std::regex> kHead = {
    {"title", std::regex(".+")}, {"minutes", std::regex("[1-9]\\d*")}, {"needs", std::regex(".*")}, {"done", std::regex(".+")}};

struct Case { std::string when, code; };  // made[3]; made[3] && made[5]
using Cases = std::vector<Case>;

std::string file;
int line_number = 0;

[[noreturn]] void fail(const std::string& what) {
  std::cerr << file << ":" << line_number << ": error: " << what << "\n";
  std::exit(1);
}

std::string trimmed(const std::string& text) {
  const size_t from = text.find_first_not_of(" \t\n"), to = text.find_last_not_of(" \t\n");
  return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

std::string literal(const std::string& text) { return '"' + std::regex_replace(text, std::regex(R"(["\\])"), "\\$&") + '"'; }

std::string listed(const Texts& texts) {
  std::string list;
  for (const std::string& one : texts) list += (list.empty() ? "" : ", ") + literal(one);
  return "{" + list + "}";
}

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

// In place of `count` right words from `at` on stand others.
struct Edit {
  size_t at, count;
  Texts words;
};

// What turns right words into wrong ones, by their longest common subsequence.
std::vector<Edit> edits(const Texts& right, const Texts& wrong) {
  const auto same = [&](size_t i, size_t j) { return trimmed(right[i]) == trimmed(wrong[j]); };
  std::vector<std::vector<size_t>> common(right.size() + 1, std::vector<size_t>(wrong.size() + 1));  // of what follows i and j
  for (size_t i = right.size(); i-- > 0;) {
    for (size_t j = wrong.size(); j-- > 0;) {
      common[i][j] = same(i, j) ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  std::vector<Edit> all;
  bool goes_on = false;
  for (size_t i = 0, j = 0; i < right.size() || j < wrong.size();) {
    if (i < right.size() && j < wrong.size() && same(i, j)) {
      ++i, ++j, goes_on = false;
      continue;
    }
    if (!goes_on) all.push_back({i, 0, {}});
    goes_on = true;
    if (j == wrong.size() || (i < right.size() && common[i + 1][j] >= common[i][j + 1])) ++i, ++all.back().count;
    else all.back().words.push_back(wrong[j++]);
  }
  return all;
}

// How many brackets, and how many ? without their :, stay open.
int depth_of(Texts::const_iterator from, Texts::const_iterator to) {
  int depth = 0;
  for (; from != to; ++from) {
    const std::string word = trimmed(*from);
    depth += std::strchr("([{?", word.back()) != nullptr;
    depth -= std::strchr(")]}", word.back()) != nullptr || word == ":";
  }
  return depth;
}

bool has_whole_brackets(const Texts& right, const Edit& edit) {
  const auto from = right.begin() + static_cast<std::ptrdiff_t>(edit.at);
  const auto is_whole = [](Texts::const_iterator at, Texts::const_iterator end) {
    for (auto to = at; to != end; ++to) {
      if (depth_of(at, to) < 0) return false;
    }
    return depth_of(at, end) == 0;
  };
  return is_whole(edit.words.begin(), edit.words.end()) && is_whole(from, from + static_cast<std::ptrdiff_t>(edit.count));
}

// Edits that belong together, as one opens the bracket that another closes.
using Group = std::vector<Edit>;

std::vector<Group> groups(const Texts& right, const std::vector<Edit>& edits) {
  std::vector<Group> all;
  int open = 0;
  for (const Edit& one : edits) {
    const auto from = right.begin() + static_cast<std::ptrdiff_t>(one.at);
    if (open == 0) all.emplace_back();
    all.back().push_back(one);
    open += depth_of(one.words.begin(), one.words.end()) - depth_of(from, from + static_cast<std::ptrdiff_t>(one.count));
  }
  return all;
}

// Is there a word between the two, or is one within a gap of the other?
bool are_apart(const Group& one, const Group& other) {
  const auto before = [](const Edit& a, const Edit& b) { return a.at + a.count < b.at; };
  const auto fits = [&](const Group& inner, const Group& outer) {
    for (size_t i = 0; i <= outer.size(); ++i) {
      if ((i == 0 || before(outer[i - 1], inner.front())) && (i == outer.size() || before(inner.back(), outer[i]))) return true;
    }
    return false;
  };
  return fits(one, other) || fits(other, one);
}

bool adds_argument(const Group& group) {
  return std::any_of(group.begin(), group.end(), [](const Edit& one) { return !one.words.empty() && trimmed(one.words[0]) == ","; });
}

bool has_loop(const Texts& words) { return std::find(words.begin(), words.end(), "for") != words.end(); }

// All edits as one, from the first word that is changed to the last.
Edit hull(const Texts& right, const Texts& wrong, const std::vector<Edit>& edits) {
  const size_t from = edits.front().at, end = edits.back().at + edits.back().count;
  return {from, end - from,
          Texts(wrong.begin() + static_cast<std::ptrdiff_t>(from), wrong.end() - static_cast<std::ptrdiff_t>(right.size() - end))};
}

std::string edited(const Texts& right, std::vector<Edit> edits) {
  std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.at < b.at; });
  std::string code;
  size_t at = 0;
  const auto right_up_to = [&](size_t end) {
    for (; at < end; ++at) code += right[at];
  };
  for (const Edit& edit : edits) {
    right_up_to(edit.at);
    for (const std::string& word : edit.words) code += " " + trimmed(word);
    code += " ";
    at += edit.count;
  }
  right_up_to(right.size());
  return trimmed(code);
}

// Nothing if both change the same words; and, where their words are mixed, if one adds an argument where the other moves brackets, or
// has a loop that the other has not.
std::optional<std::string> with_both(const std::string& right, const std::string& one, const std::string& other) {
  const Texts words = words_of(right), first = words_of(one), second = words_of(other);
  std::vector<Edit> a = edits(words, first), b = edits(words, second);
  if (one.empty() || other.empty() || a.empty() || b.empty()) return {};
  Edit low = hull(words, first, a), high = hull(words, second, b);
  if (low.at > high.at) std::swap(low, high);
  if (low.at < high.at && low.at + low.count <= high.at && has_whole_brackets(words, low) && has_whole_brackets(words, high)) {
    return edited(words, {low, high});
  }
  if (has_loop(first) != has_loop(second)) return {};
  for (const Group& of_a : groups(words, a)) {
    for (const Group& of_b : groups(words, b)) {
      if (!are_apart(of_a, of_b) || (adds_argument(of_a) && of_b.size() > 1) || (adds_argument(of_b) && of_a.size() > 1)) return {};
    }
  }
  a.insert(a.end(), b.begin(), b.end());
  return edited(words, a);
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
  for (const Case& one : cases) {
    if (inner(one.code).size() != all.size()) fail("it is no such head: " + one.code);
  }
  std::string code = right.substr(0, open);
  for (size_t i = 0; i < all.size(); ++i) {
    const Cases wrong = parts(cases, [&](const std::string& one) { return inner(one)[i]; });
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
  std::string header(const std::string& stem);  // 10_rms_norm

 private:
  void read_code(std::string code);
  void read_comment(const std::string& text);
  void read_text(const std::string& said);
  void read_wrong(const std::string& text);
  bool read_remark(const std::string& text);
  void switch_wrong();
  Function& function();
  std::string exercise(const std::string& number, const std::string& name);

  Texts includes_, code_;
  std::vector<size_t> blocks_;    // where those that are open begin, in code_
  size_t begun_ = 0, above_ = 0;  // where the statement begins that is not complete, and what stands above
  std::vector<Place> wrong_;      // in place of that
  std::string name_;              // of the function that is read
  std::vector<Function> functions_;
  std::map<std::string, std::string> questions_;  // of each id
  std::map<std::string, std::string> about_;      // title: …
  std::string* last_text_ = nullptr;
  Texts sections_;
};

Function& Answer::function() {
  if (functions_.empty() || functions_.back().name != name_) fail("there is no `// blank` above in " + name_);
  return functions_.back();
}

void Answer::read_wrong(const std::string& text) {
  static const std::regex form(R"(//~ (also )?(alone )?(?:(\d{1,9}) )?(\(convention\) )?([\w/-]+):(?: (.*))?)");
  std::smatch found;
  if (!std::regex_match(text, found, form)) fail("a wrong line is `//~ ID: CODE`, before the ID also, alone, 7, (convention): " + text);
  std::vector<Wrong>& all = function().wrong;
  const std::string id = found[5], code = found[6];
  const bool alone = found[2].matched, numbered = found[3].matched, convention = found[4].matched;
  const int number = numbered ? std::stoi(found[3]) : 0, so_far = static_cast<int>(all.size());
  if (found[1].matched) {
    const auto same = [&](const Wrong& one) { return one.id == id && (!numbered || one.number == number); };
    const auto known = std::find_if(all.rbegin(), all.rend(), same);
    if (known == all.rend()) fail("this mistake has no first place: " + text);
    wrong_.push_back({known->flag, code, true, alone});
    return;
  }
  const auto is_free = [&](int flag) { return std::none_of(all.begin(), all.end(), [&](const Wrong& one) { return one.flag == flag; }); };
  if (so_far == 64) fail("a function has room for 64 mistakes: " + text);
  int flag = numbered ? number - 1 : 63;
  while (!numbered && !is_free(flag)) --flag;
  if (flag < 0 || flag > 63 || !is_free(flag)) fail("this number is not free, or not from 1 to 64: " + text);
  all.push_back({numbered ? number : 64 + so_far, flag, id, convention ? "" : questions_[id]});
  all.back().convention = convention;
  wrong_.push_back({flag, code, false, alone});
}

// What is said of the last wrong line.
bool Answer::read_remark(const std::string& text) {
  if (!text.starts_with("//") || text.find_first_of("|?=@") != 2) return false;
  if (wrong_.empty()) fail("there is no wrong line above: " + text);
  const std::string said = text.size() > 4 ? text.substr(4) : "";
  Wrong& one = function().wrong.back();
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
  const auto made = [&](int flag) { return name_ + "_made[" + std::to_string(flag) + "]"; };
  std::stable_partition(wrong_.begin(), wrong_.end(), [](const Place& one) { return one.also; });  // whole rather than half
  Cases cases;
  for (const Place& one : wrong_) {
    for (const Place* other = &one + 1; other <= &wrong_.back(); ++other) {
      if (one.alone || other->alone) continue;
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
  if (blocks_.empty() && begun_ == code_.size() && std::regex_match(code, found, head)) name_ = found[1];
  code = trimmed(std::regex_replace(code, remark, ""));
  size_t from = begun_;
  code_.push_back(code);
  const bool opens = code.back() == '{';
  if (code[0] == '}') {
    if (blocks_.empty()) fail("no block is open that this would end: " + code);
    from = blocks_.back();
    blocks_.pop_back();
  }
  if (opens) blocks_.push_back(from);
  if (!opens && code.back() != ';' && code.back() != '}') return;  // it goes on
  above_ = code[0] == '}' && opens ? code_.size() : from;          // an else has no head
  begun_ = code_.size();
}

void Answer::read_comment(const std::string& text) {
  if (begun_ == code_.size()) above_ = begun_;
  if (text.starts_with("//!")) return read_text(text.substr(3));
  if (text.size() > 2 && text[2] != ' ') fail("a remark begins with a space, and no such mark is known: " + text);
  if (text.starts_with("// blank")) functions_.push_back({name_});
  if (!blocks_.empty()) return;
  static const std::regex section(R"(docs/([\w-]+\.md(#[\w-]+)?))");
  for (std::sregex_iterator one(text.begin(), text.end(), section), end; one != end; ++one) {
    sections_.push_back((*one)[1]);
  }
}

void Answer::read_text(const std::string& said) {
  const std::string text = trimmed(said);
  if (said.starts_with("  ")) {
    if (last_text_ == nullptr) fail("there is no text above: " + said);
    *last_text_ += " " + text;
  } else if (functions_.empty()) {
    const size_t at = std::min(text.find(':'), text.size());
    const std::string name = text.substr(0, at);
    if (!kHead.contains(name)) fail("a `//!` of the head is title, minutes, needs or done: " + text);
    last_text_ = &(about_[name] = trimmed(text.substr(std::min(at + 1, text.size()))));
  } else {
    function().hints.push_back(text);
    last_text_ = &function().hints.back();
  }
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
    read_comment(text);
  } else {
    read_code(line);
  }
}

std::string text_of(const Wrong& one) {
  std::string text = "{" + std::to_string(one.flag);
  for (const std::string* said : {&one.id, &one.question, &one.words, &one.source}) text += ", " + literal(*said);
  return text + (one.convention ? ", true, " : ", false, ") + literal(one.asked) + "},\n";
}

std::string Answer::exercise(const std::string& number, const std::string& name) {
  if (!blocks_.empty()) fail("a block is not closed");
  if (sections_.empty()) fail("its head names no section of the book, docs/ch04.md#norm-rms");
  for (const auto& [name_in_head, form] : kHead) {
    if (!about_.contains(name_in_head) || !std::regex_match(about_[name_in_head], form))
      fail("its head has no `//! " + name_in_head + ": …`");
  }
  std::string id = name, functions, made;
  std::replace(id.begin(), id.end(), '_', '-');
  for (Function& one : functions_) {
    std::stable_sort(one.wrong.begin(), one.wrong.end(), [](const Wrong& a, const Wrong& b) { return a.number < b.number; });
    made += "{" + literal(one.name) + ", &" + one.name + "_made, {\n";
    for (const Wrong& wrong : one.wrong) made += text_of(wrong);
    made += "}, " + listed(one.hints) + "},\n";
    functions += (functions.empty() ? "" : ", ") + one.name;
  }
  return "inline gradus::exercises::Exercise exercise(std::vector<gradus::exercises::Stage> stages, "
         "std::vector<gradus::exercises::Choice> choices = {}) {\nreturn gradus::exercises::completed({.number = " +
         number + ", .id = " + literal(id) + ", .title = " + literal(about_["title"]) + ", .section = " + literal(sections_[0]) +
         ", .needs = " + listed(about_["needs"].empty() ? Texts{} : split(about_["needs"], ",")) + ", .minutes = " + about_["minutes"] +
         ", .done = " + literal(about_["done"]) +
         ", .stages = std::move(stages), .choices = std::move(choices), .also = " + listed({sections_.begin() + 1, sections_.end()}) +
         "},\n{" + made + "}, gradus::exercises::set::" + name + "(" + functions + "));\n}\n";
}

std::string Answer::header(const std::string& stem) {
  const size_t at = stem.find('_');
  const std::string number = std::to_string(std::stoi(stem)), name = stem.substr(at + 1);
  std::string text = "// Made of " + file + " by answers/generate.cpp.\n#pragma once\n#include \"examples/exercises/set/set.h\"\n";
  for (const std::string& one : includes_) text += one + "\n";
  text += "namespace made_" + name + " {\n";
  for (const Function& one : functions_) text += "inline gradus::exercises::Made " + one.name + "_made;\n";
  for (const std::string& one : code_) text += one + "\n";
  return text + exercise(number, name) + "}\n";
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;  // ANSWER.cpp NAME.h: a third would be an answer that is written over
  const std::filesystem::path path = arguments[1];
  file = path.filename().string();
  if (!std::regex_match(file, std::regex(R"(\d{1,9}_\w+\.cpp)"))) fail("an answer's name is its number and id, 10_rms_norm.cpp");
  std::ifstream input(path);
  if (!input) fail("it cannot be read");
  Answer answer;
  for (std::string line; std::getline(input, line);) {
    ++line_number;
    if (line.ends_with('\r')) line.pop_back();  // as an editor of Windows ends it
    answer.read(line);
  }
  const std::string whole = std::string(arguments[2]) + ".part";
  {
    std::ofstream output(whole);
    output << answer.header(path.stem().string());
    if (!input.eof() || !output.flush()) return 1;
  }
  std::filesystem::rename(whole, arguments[2]);
}
