#include "examples/exercises/tutor/tutor.h"

#include <fmt/format.h>

#include <algorithm>

#include "examples/exercises/tutor/commands.h"
#include "examples/exercises/tutor/order.h"

namespace gradus::exercises {

using examples::Key;

Tutor::Tutor(const Folder& folder, State& state, bool coloured)
    : folder_(&folder), state_(&state), exercise_(&current_of(state)), coloured_(coloured) {
  message_ = state.trouble();
  if (message_.empty()) begin();
  last_ = stamp_of(folder.file_of(*exercise_));
}

void Tutor::limit_scroll(std::size_t last) { scroll_ = std::min(scroll_, last); }

// --- the file ------------------------------------------------------------------------------------------------

// It is checked when it is not as it was checked last, and has not changed since the tick before: it may be half written.
void Tutor::tick() {
  const Stamp now = stamp_of(folder_->file_of(*exercise_));
  if (now == last_ && !(now == seen_)) {
    if (seen_.there) message_.clear();  // it is of the file before
    seen_ = now;
    checked_.reset();
    waiting_.clear();
    running_.reset();
    scroll_ = 0;
    if (now.there) start(*exercise_);
  }
  last_ = now;
  if (running_ && running_->ended()) take_result();
}

void Tutor::start(const Exercise& exercise) {
  running_.reset();  // one at a time
  running_of_ = &exercise;
  running_ = std::make_unique<CheckBeside>(exercise, folder_->file_of(exercise), coloured_);
}

void Tutor::take_result() {
  const Checked result = running_->result();
  running_.reset();
  const Stage* before = &stage();
  const bool again = note(*running_of_, result, *state_);
  if (before != &stage()) hint_ = 0;
  all_checked_[running_of_->id] = result;
  if (running_of_ == exercise_) {
    checked_ = result;
    named_ = again;
  }
  if (const std::string trouble = state_->trouble(); !trouble.empty()) message_ = trouble;
  if (waiting_.empty()) return;
  const Exercise* one = waiting_.front();
  waiting_.erase(waiting_.begin());
  start(*one);
}

// --- keys ----------------------------------------------------------------------------------------------------

void Tutor::press(const Key& key) {
  message_.clear();
  if (asks_for_reset_) return press_in_question(key);
  if (moves(key)) return;
  try {
    if (key.kind == Key::Kind::enter && page_ == Page::exercise) {
      begin();
    } else if (key.kind == Key::Kind::character && key.text.size() == 1) {
      act(key.text[0]);
    } else {
      page_ = Page::exercise;
    }
  } catch (const std::exception& error) {
    message_ = error.what();
  }
  if (message_.empty()) message_ = state_->trouble();
}

// Does the key only move what is shown?
bool Tutor::moves(const Key& key) {
  constexpr std::size_t kFar = 10;
  switch (key.kind) {
    case Key::Kind::down: ++scroll_; return true;
    case Key::Kind::up: scroll_ -= std::min<std::size_t>(scroll_, 1); return true;
    case Key::Kind::page_down: scroll_ += kFar; return true;
    case Key::Kind::page_up: scroll_ -= std::min(scroll_, kFar); return true;
    default: return false;
  }
}

void Tutor::act(char letter) {
  const Page before = page_;
  page_ = Page::exercise;
  scroll_ = 0;
  switch (letter) {
    case 'n': return next();
    case 'p': return previous();
    case 'h': return more_help();
    case 'w':
      if (!checked_ || checked_->asked.empty()) break;
      named_ = true;
      return;
    case 'l': page_ = before == Page::list ? Page::exercise : Page::list; return;
    case 'c': return check_all();
    case 's':
      if (before != Page::solution) show_solution();
      return;
    case 'x':
      asks_for_reset_ = folder_->has(*exercise_);
      if (!asks_for_reset_) begin();
      return;
    case 'q': quit_ = before == Page::exercise; return;
    default: page_ = before;
  }
  message_ = fmt::format("'{}' is no key here", letter);
}

void Tutor::press_in_question(const Key& key) {
  asks_for_reset_ = false;
  if (!key.is("y") && !key.is("Y")) {
    message_ = "Your file stays as it is.";
    return;
  }
  try {
    message_ = fmt::format("The file is as it was given; yours is kept as {}.", folder_->begin_anew(*exercise_));
  } catch (const std::exception& error) {
    message_ = error.what();
  }
}

void Tutor::go(const Exercise& exercise) {
  exercise_ = &exercise;
  hint_ = 0;
  seen_ = last_ = {};
  checked_.reset();
  running_.reset();
  waiting_.clear();
  last_ = stamp_of(folder_->file_of(exercise));  // a file that is there is checked at once
  state_->stand_at(exercise);
}

void Tutor::begin() {
  if (folder_->has(*exercise_)) return;
  try {
    if (folder_->begin(*exercise_)) message_ = fmt::format("{} is new. Open it in your editor.", typed(folder_->file_of(*exercise_)));
    state_->stand_at(*exercise_);
  } catch (const std::exception& error) {
    message_ = error.what();
  }
}

// After one that has passed comes the next that has not, and it is begun; else the next one of all.
void Tutor::next() {
  const auto& all = all_exercises();
  if (!state_->of(*exercise_).passed.empty()) {
    const Exercise* open = next_open(*state_, exercise_);
    if (open != nullptr) {
      go(*open);
      return begin();
    }
  }
  if (exercise_ == &all.back()) {
    message_ = "This is the last one.";
  } else {
    go(*(exercise_ + 1));
  }
}

void Tutor::previous() {
  if (exercise_ == &all_exercises().front()) {
    message_ = "This is the first one.";
  } else {
    go(*(exercise_ - 1));
  }
}

const Stage& Tutor::stage() const { return exercise_->stages[stage_of(*exercise_, *state_)]; }

void Tutor::more_help() {
  hint_ = hint_ < static_cast<int>(stage().hints.size()) ? hint_ + 1 : 1;
  state_->use_hint(*exercise_, stage(), hint_);
}

void Tutor::show_solution() {
  if (state_->of(*exercise_).passed.empty()) {
    message_ = "The project's own answer is shown once yours has passed. h gives a hint.";
  } else {
    page_ = Page::solution;
  }
}

void Tutor::check_all() {
  page_ = Page::list;
  waiting_.clear();
  all_checked_.clear();
  for (const Exercise& one : all_exercises()) {
    if (folder_->has(one)) waiting_.push_back(&one);
  }
  if (waiting_.empty()) {
    message_ = "Nothing is written yet.";
    return;
  }
  const Exercise* first = waiting_.front();
  waiting_.erase(waiting_.begin());
  start(*first);
}

}  // namespace gradus::exercises
