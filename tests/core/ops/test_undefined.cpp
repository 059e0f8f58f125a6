// An undefined tensor, as each input of each row of the op table: refused by the name of the op that was called.
#include <map>
#include <set>

#include "core/composites/composites.h"
#include "tests/support/check.h"
#include "tests/support/op_table.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// The op that a row calls first, by which most rows are named. "" where C++ leaves open which it is.
std::string op_of(const OpRow& row) {
  static const std::map<std::string, std::string> others{{"operators", ""}, {"in_f32", "square: "}, {"one_hot", ""}};
  const std::string name = row.name.substr(0, row.name.find('/'));
  const auto other = others.find(name);
  return other == others.end() ? name + ": " : other->second;
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const GraphError& error) {
    return error.what();
  }
  return "no GraphError";
}

}  // namespace

TEST_CASE("an undefined input of any op is a GraphError that names the op, and each input by another name") {
  for (const OpRow& row : op_table()) {
    std::set<std::string> messages;
    for (std::size_t i = 0; i < row.inputs.size(); ++i) {
      Tensors inputs = make_inputs(row, DType::f64, true);
      inputs[i] = Tensor();
      const std::string message = message_of([&] { row.function(inputs); });
      INFO(row.name, ", input ", i, ": ", message);
      CHECK(message.rfind(op_of(row), 0) == 0);
      CHECK(message.find(" is undefined: it was never given a value, or is a gradient that has not arrived") != std::string::npos);
      messages.insert(message);
    }
    CAPTURE(row.name);
    CHECK(messages.size() == row.inputs.size());
  }
}

TEST_CASE("an undefined gradient: the error says how to update a parameter, for p = p - lr * p.grad() makes another tensor of it") {
  Tensor p = tensor({1, 2}).set_requires_grad();
  const auto loss = [&] { return sum(square(p)); };
  loss().backward();
  p = p - 0.1 * p.grad();
  loss().backward();
  CHECK(message_of([&] { p = p - 0.1 * p.grad(); }) ==
        "mul: the tensor beside the number is undefined: it was never given a value, or is a gradient that has not arrived. What an "
        "op made has a grad() only after retain_grad(), and p = p - lr * p.grad() makes p such a tensor: write { NoGrad off; "
        "p -= lr * p.grad(); }");
}
