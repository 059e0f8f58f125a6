#include "examples/shared/expression/expression.h"

#include "tests/fuzz/target.h"

using namespace gradus;
using examples::Expression;
using examples::ExpressionError;

namespace {

void require_order(const Expression& e) {
  const auto terms = static_cast<int>(e.terms.size());
  for (int i = 0; i < terms; ++i) {
    for (const int operand : e.terms[static_cast<std::size_t>(i)].operands) {
      fuzz::require(operand >= 0 && operand < i, "operands stand before what is made of them");
    }
  }
  fuzz::require(e.value >= 0 && e.value < terms, "the value is a term");
}

// A long expression is written only in part, with "…", and is not read again.
void require_same_when_written(const Expression& e) {
  const std::string once = examples::written(e, e.value);
  if (once.find("…") != std::string::npos) return;
  const Expression again = examples::parse(once);
  fuzz::require(examples::written(again, again.value) == once, "what was written is read again");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  try {
    const Expression e = examples::parse(text);
    require_order(e);
    require_same_when_written(e);
  } catch (const ExpressionError& error) {
    fuzz::require(error.column() <= text.size(), "the column is in the text");
  }
  return 0;
}
