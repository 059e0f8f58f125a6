// Report: a chapter's page. One file that opens offline, on a phone, in light and dark, and can be printed.
//
// Parts are written in the order in which they are read: the one number, a question to predict, the one picture, the formula,
// numbers by hand, the knob, the experiment, claims, the same name for another formula. Text is HTML; words.h helps.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gradus::examples {

struct Figure {
  std::string see;      // one sentence above it: what to see
  std::string drawing;  // SVG, or panels of it: drawing.h, plot.h
  std::string caption;  // what is drawn, how many, which seeds, which unit
};

struct Column {
  std::string name, unit = {};
  bool numeric = false;  // to the right, in figures of one width
};

struct ReportTable {
  std::string caption;
  std::vector<Column> columns;  // the first names the rows
  std::vector<std::vector<std::string>> rows;
};

enum class Verdict { confirmed, refuted, depends, undecided, nothing };  // nothing: of a void place, whose models did not train
const char* word_of(Verdict verdict);                                    // "confirmed" …
// What one chapter saw of a sentence that the program `claims` judges, in more places and with more seeds: "seen here", "not
// seen here", "partly seen here", "undecided here". So no sentence has two verdicts.
const char* seen_here(Verdict verdict);
std::string badge(Verdict verdict, const char* word);  // glyph, word and colour

class Report {
 public:
  // "04", "Norms", one sentence. A page that is no chapter's has the number "".
  Report(std::string chapter, std::string title, std::string idea);

  void one_number(const std::string& number, const std::string& sentence);  // the number may be a formula's HTML
  void predict(const std::string& question, const std::string& answer);
  void section(const std::string& id, const std::string& title);
  void text(const std::string& html);
  void formula(const std::string& formula);  // in the language of words.h; a second one stands beside it after ";;"
  void figure(const Figure& figure);
  void table(const ReportTable& table);
  // If the id begins with "erratum-", the box says so.
  void claim(const std::string& id, const std::string& quote, const std::string& badge, const std::string& evidence);
  void transcript(const std::string& text, const std::string& label = "Terminal transcript");
  void embed(const std::string& title, const std::string& page);  // a page of its own in a frame, such as the tape's viewer

  // The page; the last lines tell how it was made: {"command", "./examples/run ch04 --seed 0"} …
  std::string html(const std::vector<std::pair<std::string, std::string>>& made) const;

 private:
  std::string chapter_, title_, idea_, body_;
  int sections_ = 0, figures_ = 0;
};

}  // namespace gradus::examples
