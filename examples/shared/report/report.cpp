#include "examples/shared/report/report.h"

#include <fmt/format.h>

#include "core/check.h"
#include "examples/shared/report/look.h"
#include "examples/shared/report/words.h"

namespace gradus::examples {

const char* word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::confirmed: return "confirmed";
    case Verdict::refuted: return "refuted";
    case Verdict::depends: return "depends";
    case Verdict::undecided: return "undecided";
    case Verdict::nothing: break;
  }
  return "void";
}

const char* seen_here(Verdict verdict) {
  switch (verdict) {
    case Verdict::confirmed: return "seen here";
    case Verdict::refuted: return "not seen here";
    case Verdict::depends: return "partly seen here";
    case Verdict::undecided:
    case Verdict::nothing: break;
  }
  return "undecided here";
}

std::string badge(Verdict verdict, const char* word) {
  struct Look { const char *style, *glyph; };
  constexpr Look looks[] = {{"ok", "✓"}, {"no", "✗"}, {"dep", "±"}, {"und", "?"}, {"und", "–"}};  // in the order of Verdict
  const Look& look = looks[static_cast<int>(verdict)];
  return fmt::format("<span class=\"badge {}\">{} {}</span>", look.style, look.glyph, word);
}

Report::Report(std::string chapter, std::string title, std::string idea)
    : chapter_(std::move(chapter)), title_(std::move(title)), idea_(std::move(idea)) {}

void Report::one_number(const std::string& number, const std::string& sentence) {
  body_ += fmt::format("<p class=\"one\"><b>{}</b><span>{}</span></p>\n", number, sentence);
}

void Report::predict(const std::string& question, const std::string& answer) {
  body_ += fmt::format(
      "<section class=\"ask\" aria-label=\"Predict\"><span class=\"k\">Predict before you read on</span>\n"
      "<p>{}</p>\n<details><summary>Answer</summary><p>{}</p></details></section>\n",
      question, answer);
}

void Report::section(const std::string& id, const std::string& title) {
  body_ += fmt::format("<h2 id=\"{}\"><span class=\"n\">{}</span>{}</h2>\n", id, ++sections_, title);
}

void Report::text(const std::string& html) { body_ += fmt::format("<p>{}</p>\n", html); }

void Report::formula(const std::string& formula) {
  std::string spans, label;
  for (std::size_t from = 0, end = 0; end != std::string::npos; from = end + 2) {
    end = formula.find(";;", from);
    const std::string one = formula.substr(from, end == std::string::npos ? end : end - from);
    spans += "<span>" + formula_html(one) + "</span>";
    label += (label.empty() ? "" : ", ") + formula_text(one);
  }
  body_ += fmt::format("<div class=\"F\" role=\"math\" aria-label=\"{}\">{}</div>\n", escaped(label), spans);
}

void Report::figure(const Figure& figure) {
  const int n = ++figures_;
  body_ += fmt::format(
      "<p class=\"see\">{}</p>\n<figure aria-labelledby=\"figure-{}\"><div>{}</div>\n"
      "<figcaption id=\"figure-{}\"><b>Figure {}.</b> {}</figcaption></figure>\n",
      figure.see, n, figure.drawing, n, n, figure.caption);
}

void Report::table(const ReportTable& table) {
  std::string head, rows;
  for (const Column& column : table.columns) {
    head += fmt::format("<th{} scope=\"col\">{}{}</th>", column.numeric ? " class=\"num\"" : "", column.name,
                        column.unit.empty() ? "" : "<br><small>" + column.unit + "</small>");
  }
  for (const auto& row : table.rows) {
    check<ValueError>(row.size() == table.columns.size(), "table '{}': a row of {} cells for {} columns", table.caption, row.size(),
                      table.columns.size());
    rows += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Column& column = table.columns[i];
      rows += i == 0 ? fmt::format("<th scope=\"row\">{}</th>", row[i])
                     : fmt::format("<td{} data-k=\"{}\">{}</td>", column.numeric ? " class=\"num\"" : "", escaped(column.name), row[i]);
    }
    rows += "</tr>\n";
  }
  body_ += fmt::format(
      "<div class=\"scroll\"><table "
      "class=\"cards\"><caption>{}</caption><thead><tr>{}</tr></thead>\n<tbody>{}</tbody>"
      "</table></div>\n",
      table.caption, head, rows);
}

void Report::claim(const std::string& id, const std::string& quote, const std::string& badge, const std::string& evidence) {
  body_ += fmt::format(
      "<div class=\"claim\" id=\"claim-{0}\"><span class=\"k\">{1} <code>{0}</code></span>\n"
      "<blockquote>{2}</blockquote>\n<p>{3} &nbsp;{4}</p></div>\n",
      id, id.rfind("erratum-", 0) == 0 ? "Erratum" : "Claim", quote, badge, evidence);
}

void Report::transcript(const std::string& text, const std::string& label) {
  std::string lines = text;  // a space at the end of a line is not seen, and validators object
  while (lines.find(" \n") != std::string::npos) replace_all(lines, " \n", "\n");
  body_ += fmt::format("<section aria-label=\"{}\"><pre tabindex=\"0\">{}</pre></section>\n", escaped(label), escaped(lines));
}

void Report::embed(const std::string& title, const std::string& page) {
  body_ += fmt::format("<iframe class=\"viewer\" title=\"{}\" srcdoc=\"{}\"></iframe>\n", escaped(title), escaped(page));
}

std::string Report::html(const std::vector<std::pair<std::string, std::string>>& made) const {
  std::string lines;
  for (const auto& [what, value] : made) lines += fmt::format("<dt>{}</dt><dd>{}</dd>\n", what, value);
  return fmt::format(
      R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} · {place}</title>
<style>{style}</style>
</head>
<body>
<header class="top">
<fieldset class="theme"><legend>Colours</legend>
<input type="radio" name="theme" id="t-auto" checked><label for="t-auto">Auto</label>
<input type="radio" name="theme" id="t-light"><label for="t-light">Light</label>
<input type="radio" name="theme" id="t-dark"><label for="t-dark">Dark</label>
</fieldset>
<p class="eyebrow">{place}</p>
<h1>{title}</h1>
<p class="idea">{idea}</p>
</header>
<main>
{body}</main>
<footer><dl>
{lines}</dl></footer>
</body>
</html>
)",
      fmt::arg("title", title_), fmt::arg("place", chapter_.empty() ? "Gradus" : "Gradus, chapter " + chapter_),
      fmt::arg("style", look_css()), fmt::arg("idea", idea_), fmt::arg("body", body_), fmt::arg("lines", lines));
}

}  // namespace gradus::examples
