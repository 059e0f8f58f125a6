// The viewer's page as the library writes it: tests/docs/viewer_test.sh opens it in a browser.
#include "core/core.h"
#include "core/inspect/trace.h"
#include "tests/support/check.h"

using namespace gradus;

namespace {

inspect::Trace walk_of(const std::string& title) {
  const Tensor a = tensor(2, DType::f64).set_requires_grad();
  return inspect::trace(a * a, {.title = title, .names = {{"a", a}}});
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("html: one page with every trace in it, which asks for nothing else") {
  const std::string page = inspect::html({walk_of("one"), walk_of("two")});
  CHECK(page.rfind("<!doctype html>", 0) == 0);
  CHECK(times(page, "<script type=\"application/json\" class=\"trace\">{") == 2);
  CHECK(page.find("<!--traces-->") == std::string::npos);
  CHECK(times(page, "\nimport ") + times(page, "\nexport ") + times(page, "src=") + times(page, "@import") == 0);
  CHECK(times(page, "<link ") == times(page, "<link rel=\"icon\" href=\"data:,\">"));
  CHECK(page.size() < 300'000);
}

TEST_CASE("html: no title can end the script that holds it") {
  const std::string page = inspect::html({walk_of("</script><!-- & <b>")}), plain = inspect::html({walk_of("")});
  CHECK(page.find("\\u003c/script>\\u003c!-- & \\u003cb>") != std::string::npos);
  CHECK(times(page, "</script>") == times(plain, "</script>"));
}

TEST_CASE("html: no trace is refused") { CHECK_THROWS_WITH_AS(inspect::html({}), "html: no trace to show", ValueError); }
