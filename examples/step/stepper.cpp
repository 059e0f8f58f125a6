#include "examples/step/stepper.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "core/options/edit_distance.h"
#include "examples/step/words.h"

namespace gradus::examples {

using inspect::Trace;
using inspect::TracedTensor;
using inspect::Visit;

// --- conditions ---------------------------------------------------------------------------------------------

Condition::Condition(const std::string& given) {
  std::string text;
  for (const char c : given) {
    if (c != ' ') text += c;
  }
  const auto after = [&](std::size_t head) { return text.substr(std::min(head, text.size())); };
  if (text.rfind("op=", 0) == 0 && text.size() > 3) {
    kind_ = Kind::op;
    word_ = after(3);
  } else if (text.rfind("name=", 0) == 0 && text.size() > 5) {
    kind_ = Kind::name;
    word_ = after(5);
  } else if (text == "nan" || text == "zero") {
    kind_ = text == "nan" ? Kind::nan : Kind::zero;
  } else {
    const std::string bound = after(4);
    char* end = nullptr;
    bound_ = std::strtod(bound.c_str(), &end);
    check<ValueError>(text.rfind("|g|>", 0) == 0 && !bound.empty() && *end == '\0', "'{}' is none of: op=mul  name=u  nan  zero  |g|>5",
                      given);
    kind_ = Kind::above;
  }
}

bool Condition::holds(const Trace& trace, const Visit& visit) const {
  const TracedTensor& tensor = trace.tensor(visit.tensor);
  const Measures g = measures(visit.gradient);
  switch (kind_) {
    case Kind::op: return tensor.op == word_;
    case Kind::name: return tensor.name == word_;
    case Kind::nan: return g.nan + g.inf > 0;
    case Kind::zero: return g.count > 0 && g.zero == g.count;
    case Kind::above: return g.norm > bound_ || g.nan + g.inf > 0;
  }
  return false;
}

// --- keys ---------------------------------------------------------------------------------------------------

namespace {

// Made by the walk itself: no part of the tape that is walked.
bool of_walk(const TracedTensor& tensor) { return tensor.of_walk; }

std::vector<std::string> op_names(const Trace& trace) {
  std::set<std::string> names;
  for (const TracedTensor& t : trace.tensors) {
    if (!t.op.empty() && !t.of_walk) names.insert(t.op);
  }
  return {names.begin(), names.end()};
}

// In the walk other keys stand for letters; 0: for none.
char letter_of(const Key& key) {
  switch (key.kind) {
    case Key::Kind::right:
    case Key::Kind::down:
    case Key::Kind::enter: return 'n';
    case Key::Kind::left:
    case Key::Kind::up: return 'p';
    case Key::Kind::home: return '<';
    case Key::Kind::end: return '>';
    case Key::Kind::character: return key.text.size() == 1 ? key.text[0] : '\0';
    default: return '\0';
  }
}

}  // namespace

Stepper::Stepper(const Trace& trace) : trace_(&trace), replay_(trace), tree_(trace, trace.outputs, of_walk) {}

const TracedTensor& Stepper::current() const {
  const Visit* visit = replay_.visit();
  return trace_->tensor(visit != nullptr ? visit->tensor : trace_->outputs.at(0));
}

void Stepper::press(const Key& key) {
  message_.clear();
  if (question_ != Question::none) return press_in_question(key);
  if (key.is("q")) {
    if (page_ == Page::walk) quit_ = true;
    page_ = Page::walk;
    return;
  }
  if (page_ != Page::walk) {
    press_in_page(key);
  } else {
    press_in_walk(key);
  }
}

void Stepper::press_in_walk(const Key& key) {
  const std::size_t moment = replay_.moment();
  constexpr std::ptrdiff_t kPage = 5;
  const auto rows = static_cast<std::ptrdiff_t>(tree_.rows().size());
  if (key.kind == Key::Kind::page_down) tape_scroll_ = std::min(tape_scroll_ + kPage, rows);
  if (key.kind == Key::Kind::page_up) tape_scroll_ = std::max(tape_scroll_ - kPage, -rows);
  switch (letter_of(key)) {
    case 'n': return go(replay_.next_end());
    case 'p': return go(replay_.previous_end());
    case 'd': return go(moment + 1);
    case 'D': return go(moment == 0 ? 0 : moment - 1);
    case '<': return go(0);
    case '>': return go(replay_.last_moment());
    case 'c': return ask(Question::condition);
    case 'u': return ask(Question::tensor);
    case 'v': return open(Page::values);
    case 'f': return open(Page::code);
    case 's': return open(Page::inside);
    case 'w': return open(Page::naive);
    case '?': return open(Page::help);
    default: break;
  }
  if (key.kind == Key::Kind::character) message_ = fmt::format("'{}' is no key here; ? names them", key.text);
}

void Stepper::press_in_page(const Key& key) {
  using Kind = Key::Kind;
  const auto less = [](std::size_t x, std::size_t by) { return x < by ? 0 : x - by; };
  switch (key.kind) {
    case Kind::down: row_ += 1; return;
    case Kind::up: row_ = less(row_, 1); return;
    case Kind::right: column_ += 1; return;
    case Kind::left: column_ = less(column_, 1); return;
    case Kind::page_down: row_ += 10; return;
    case Kind::page_up: row_ = less(row_, 10); return;
    case Kind::home: row_ = column_ = 0; return;
    case Kind::end: row_ = SIZE_MAX / 2; return;
    case Kind::escape:
    case Kind::enter:
    case Kind::backspace: page_ = Page::walk; return;
    case Kind::character: break;
  }
  const Page before = page_;
  page_ = Page::walk;
  const bool same = (before == Page::values && key.is("v")) || (before == Page::code && key.is("f")) ||
                    (before == Page::inside && key.is("s")) || (before == Page::naive && key.is("w")) ||
                    (before == Page::help && key.is("?"));
  if (same) return;  // the key that opened it closes it
  press_in_walk(key);
  const bool stepped = key.is("n") || key.is("p") || key.is("d") || key.is("D");
  if (stepped) page_ = before;  // and the page shows the next tensor
}

void Stepper::press_in_question(const Key& key) {
  if (key.kind == Key::Kind::character) {
    answer_ += key.text;
  } else if (key.kind == Key::Kind::backspace) {
    while (!answer_.empty() && (answer_.back() & '\xc0') == '\x80') answer_.pop_back();
    if (!answer_.empty()) answer_.pop_back();
  } else if (key.kind == Key::Kind::escape) {
    question_ = Question::none;
  } else if (key.kind == Key::Kind::enter) {
    const Question asked = question_;
    question_ = Question::none;
    if (asked == Question::condition) {
      go_on_to(answer_.empty() ? last_condition_ : answer_);
    } else {
      go_to_tensor(answer_);
    }
  }
}

void Stepper::open(Page page) {
  page_ = page;
  row_ = column_ = 0;
}

void Stepper::ask(Question question) {
  question_ = question;
  answer_.clear();
}

void Stepper::limit_scroll(std::size_t last_row, std::size_t last_column) {
  row_ = std::min(row_, last_row);
  column_ = std::min(column_, last_column);
}

void Stepper::go(std::size_t moment) {
  const std::size_t before = replay_.moment();
  replay_.go(moment);
  row_ = column_ = 0;
  tape_scroll_ = 0;
  if (moment == before) message_ = before == 0 ? "this is the beginning" : "the walk is over";
  if (moment > replay_.last_moment()) message_ = "the walk is over";
}

void Stepper::go_on_to(const std::string& text) {
  if (text.empty()) return;
  try {
    const Condition condition(text);
    last_condition_ = text;
    for (auto v = static_cast<std::size_t>(replay_.visit_index() + 1); v < replay_.visits(); ++v) {
      if (!condition.holds(*trace_, trace_->walk[v])) continue;
      return go(replay_.end_of_visit(v));
    }
    message_ = fmt::format("no later visit has {}", text);
    const auto here = static_cast<std::size_t>(replay_.visit_index() + 1);
    std::size_t last = here;
    while (last > 0 && !condition.holds(*trace_, trace_->walk[last - 1])) --last;
    if (last > 0) {
      message_ += fmt::format("; the last was visit {}{}", last, last == here ? ", this one" : "");
    } else if (text.rfind("op=", 0) == 0) {
      message_ += fmt::format("; the nearest op is {}", nearest(text.substr(3), op_names(*trace_)));
    }
  } catch (const ValueError& error) {
    message_ = error.what();
  }
}

void Stepper::go_to_tensor(const std::string& text) {
  const std::string word = text.rfind('#', 0) == 0 ? text.substr(1) : text;
  std::vector<std::string> names;
  for (std::size_t v = 0; v < replay_.visits(); ++v) {
    const TracedTensor& tensor = trace_->tensor(trace_->walk[v].tensor);
    if (!tensor.name.empty()) names.push_back(tensor.name);
    if (tensor.name != text && fmt::format("{}", tensor.number) != word) continue;
    const bool back = static_cast<std::ptrdiff_t>(v) < replay_.visit_index();
    if (replay_.moment() == replay_.end_of_visit(v)) {
      message_ = "you are there";
      return;
    }
    go(replay_.end_of_visit(v));
    if (back) message_ = fmt::format("back: its turn was visit {}", v + 1);
    return;
  }
  if (text.empty()) return;
  message_ = fmt::format("the walk visits no tensor '{}'", text);
  if (!names.empty()) message_ += fmt::format("; the nearest name is {}", nearest(text, names));
}

}  // namespace gradus::examples
