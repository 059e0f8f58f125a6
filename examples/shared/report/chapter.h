// Chapter: what every chapter's program does besides its subject. It reads the options, guides through a tour in the terminal,
// keeps each number at a stable path, and leaves them as chNN.json, and as a page that docs/kit/reports/chNN.mjs draws of that.
//
//   int main(int argc, char** argv) {
//     double base = 10000;
//     return run_chapter(argc, argv, {"05", "Absolute positions", "What …"}, {{"--base", &base, "of the angles"}},
//                        [&](Chapter& chapter) {
//       chapter.tell("…");
//       chapter.number("shift.error", 1e-15);
//       chapter.series("shift.errors", errors);
//       chapter.finish("1.000 → 0.161");
//     });
//   }
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/inspect/trace.h"
#include "examples/shared/report/knob.h"
#include "examples/shared/report/verdict.h"
#include "examples/shared/report/words.h"

namespace gradus::examples {

struct ChapterText {
  std::string number, title, idea;                 // "05", "Absolute positions", one sentence
  std::function<inspect::Trace()> tape = nullptr;  // of the numbers by hand: a graph small enough to step through
};

// A question whose wrong answers are the usual misconceptions.
struct Question {
  std::string text;
  std::vector<std::string> answers;
  std::size_t right = 0;  // index
  std::string because;
};

// A line of a picture: a value at each x, and what it lies between, if anything: the least and greatest over seeds.
struct Band { std::vector<double> x, y, low = {}, high = {}; };

class Chapter {
 public:
  bool full() const { return full_; }  // the thorough version
  std::uint64_t seed() const { return seed_; }

  // A paragraph of the tour, which the report repeats as the transcript. At most 80 columns; may have several lines.
  void tell(const std::string& text = "");
  // Stops once, on a terminal alone, and tells whether the answer was right; the report shows both.
  void ask(const Question& question);

  // What the page draws besides the numbers, at a path of its own: `series` in chNN.json.
  void series(const std::string& path, double value);
  void series(const std::string& path, const std::vector<double>& values);
  void series(const std::string& path, const std::vector<std::vector<double>>& rows);  // to six digits: they are many
  void series(const std::string& path, const std::string& text);
  void series(const std::string& path, const std::vector<std::string>& texts);
  void series(const std::string& path, const Band& line);  // at path.x, path.y, path.low, path.high

  // In chNN.json, at this path: "norm.rms.spread". ValueError for a path that is taken.
  void number(const std::string& path, double value);
  void number(const std::string& path, const std::vector<double>& values);
  void number(const std::string& path, const std::vector<std::vector<double>>& rows);
  void word(const std::string& path, const std::string& value);
  void words(const std::string& path, const std::vector<std::string>& values);

  // A claim of the notes, by what this chapter measured: its word is the number claim.ID; the quote and the evidence are text.
  void claim(const std::string& id, const std::string& quote, Verdict verdict, const std::string& evidence);
  // Likewise a sentence that this chapter alone judges.
  void sentence(const std::string& id, const std::string& quote, Verdict verdict, const std::string& evidence);

  // The chapter's one number: the last line of the tour.
  void finish(const std::string& one_number);

 private:
  friend int run_chapter(int, char**, const ChapterText&, const std::vector<Knob>&, const std::function<void(Chapter&)>&);
  struct State;
  explicit Chapter(const ChapterText& text);
  void write(double seconds) const;

  ChapterText text_;
  bool full_ = false, yes_ = false;
  std::uint64_t seed_ = 0;
  std::string out_, command_, one_number_;
  std::string transcript_;
  std::shared_ptr<State> state_;
};

// Runs `body` between reading the options and writing the files: 0, or 1 with a message where something went wrong, 2 for a
// bad option, 130 or 143 where it was interrupted or terminated. Nothing is written unless all is. With --tape FILE the
// chapter's tape is written, and nothing else done.
int run_chapter(int argc, char** argv, const ChapterText& text, const std::vector<Knob>& knobs, const std::function<void(Chapter&)>& body);

}  // namespace gradus::examples
