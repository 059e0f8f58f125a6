#include "examples/exercises/in_place/put.h"

#include "core/core.h"
#include "examples/exercises/in_place/calls.h"

namespace gradus::exercises::put {
namespace {

constexpr double kNormEps = 1e-5;

// a ⊙ b, of any shapes, with the gradients that `rule` gives.
Tensor product_by(const Function& rule, const Tensor& a, const Tensor& b) {
  return record_joint("mul", a.detach() * b.detach(), {a, b}, [=](const Step& s) {
    return gradients_by(rule, {array_of("g", s.grad), array_of("a", s.input(0)), array_of("b", s.input(1))});
  });
}

// x in a larger shape, with the gradient that `rule` gives.
Tensor repeated_by(const Function& rule, const Tensor& x, const Shape& shape) {
  return record_joint("expand", expand(x.detach(), shape), {x},
                      [=](const Step& s) { return gradients_by(rule, {array_of("g", s.grad), as_array("shape", s.input(0).shape())}); });
}

// The mean of each row, [rows, 1], whose sum has the gradient that `rule` gives.
Tensor mean_of_rows_by(const Function& rule, const Tensor& x) {
  const Tensor total = record_joint("sum", sum(x.detach(), {1}), {x}, [=](const Step& s) {
    return gradients_by(rule, {array_of("g", s.grad), as_array("shape", s.input(0).shape()), array("axes", {1}, {1})});
  });
  return reshape(total, {x.size(0), 1}) / static_cast<double>(x.size(1));
}

// The gradients of x, W1, W2 and W3 in W2 (SiLU(W1 x) ⊙ W3 x), given that of the gate.
Tensors back_through(const Function& gate, const Step& s) {
  const Tensor g = s.grad, x = s.input(0), w1 = s.input(1), w2 = s.input(2), w3 = s.input(3);
  const Tensor a = matmul(x, transpose(w1)), b = matmul(x, transpose(w3));
  const Tensors back = called(gate, {array_of("g", matmul(g, w2)), array_of("a", a), array_of("b", b)});
  const Tensor &da = back[0], &db = back[1];
  return {matmul(da, w1) + matmul(db, w3), matmul(transpose(da), x), matmul(transpose(g), a * sigmoid(a) * b), matmul(transpose(db), x)};
}

}  // namespace

void rule_mul(Parts& parts, const Functions& mine) {
  parts.multiply = [rule = mine[0]](const Tensor& a, const Tensor& b) { return product_by(rule, a, b); };
}

// RMSNorm of the functions one by one: 1 / r is repeated along a row, the gain multiplies each row, and r is made of a sum.
void rule_broadcast(Parts& parts, const Functions& mine) {
  parts.norm = [=](const Tensor& x, const Tensor& gain) {
    const Tensor r = sqrt(mean_of_rows_by(mine[2], square(x)) + kNormEps);
    return product_by(mine[1], x * repeated_by(mine[0], 1 / r, x.shape()), gain);
  };
}

void rule_matmul(Parts& parts, const Functions& mine) {
  parts.product = [rule = mine[0]](const Tensor& a, const Tensor& b) {
    return record_joint("matmul", matmul(a.detach(), b.detach()), {a, b}, [=](const Step& s) {
      return called(rule, {array_of("g", s.grad), array_of("a", s.input(0)), array_of("b", s.input(1))});
    });
  };
}

void activations(Parts& parts, const Functions& mine) {
  parts.activation = [=](const Tensor& x) {
    return record_joint("silu", called(mine[2], {array_of("x", x)})[0], {x},
                        [=](const Step& s) { return called(mine[3], {array_of("g", s.grad), array_of("x", s.input(0))}); });
  };
}

// The value is the student's; what comes back goes through the student's gate.
void swiglu(Parts& parts, const Functions& mine) {
  parts.feed_forward = [=](const Tensor& x, const Tensor& w1, const Tensor& w2, const Tensor& w3) {
    const Array rows = array_of("x", unsqueeze(x, 0));
    const Array nothing = array("g", rows.shape, std::vector<double>(rows.numbers.size(), 0));
    const Tensor y = called(mine[0], {rows, array_of("w1", w1), array_of("w2", w2), array_of("w3", w3), nothing})[0];
    return record_joint("swiglu", reshape(y, x.shape()), {x, w1, w2, w3},
                        [gate = mine[1]](const Step& s) { return back_through(gate, s); });
  };
}

void rms_norm(Parts& parts, const Functions& mine) {
  parts.norm = [=](const Tensor& x, const Tensor& gain) {
    const Array eps = number("eps", kNormEps);
    const Tensor y = called(mine[0], {array_of("x", x), array_of("gain", gain), eps})[0];
    return record_joint("rms_norm", y, {x, gain}, [=](const Step& s) {
      return called(mine[1], {array_of("g", s.grad), array_of("x", s.input(0)), array_of("gain", s.input(1)), eps});
    });
  };
}

}  // namespace gradus::exercises::put
