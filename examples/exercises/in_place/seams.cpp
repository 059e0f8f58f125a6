#include "examples/exercises/in_place/seams.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "nn/nn.h"

namespace gradus::exercises {
namespace {

using Put = std::function<void(Parts& parts, const Functions& mine)>;

Array named(const std::string& name, const Tensor& tensor) { return array_of(name, tensor); }

// What the function makes of these inputs: its output number `i`.
Tensor called(const Function& function, std::vector<Array> inputs, std::size_t i = 0) {
  return tensor_of(function({"in place", std::move(inputs)}).at(i));
}

// An op whose value is a student's and whose gradient is that of the library's function.
Tensor own_value(const char* name, Tensor value, const Tensors& inputs, const TensorsFunction& library) {
  return record_joint(name, std::move(value), inputs, [=](const Step& step) {
    Tensors given;
    for (std::size_t i = 0; i < inputs.size(); ++i) given.push_back(step.input(static_cast<int>(i)));
    return vjp(library, given, {step.grad});
  });
}

void put_norm(Parts& parts, const Functions& mine) {
  parts.norm = [=](const Tensor& x, const Tensor& gain) {
    const Array eps = number("eps", 1e-5);
    Tensor y = called(mine[0], {named("x", x), named("gain", gain), eps});
    return record_joint("rms_norm", y, {x, gain}, [=](const Step& s) {
      const Outputs back = mine[1]({"in place", {named("g", s.grad), named("x", s.input(0)), named("gain", s.input(1)), eps}});
      return Tensors{tensor_of(back[0]), tensor_of(back[1])};
    });
  };
}

void put_softmax(Parts& parts, const Functions& mine) {
  parts.attention = [=](const Tensor& q, const Tensor& k, const Tensor& v) {
    const Tensor scores = matmul(q, k, {.transpose_b = true}) / std::sqrt(static_cast<double>(q.size(1)));
    const Tensor masked = scores + triu(full({q.size(0), q.size(0)}, -1e9, DType::f64), 1);
    Tensor p = called(mine[0], {named("x", masked)});
    p = record_joint("softmax", p, {masked}, [=](const Step& s) {
      return Tensors{called(mine[1], {named("g", s.grad), named("y", s.output())})};
    });
    return matmul(p, v);
  };
}

void put_activation(Parts& parts, const Functions& mine) {
  parts.activation = [=](const Tensor& x) {
    return record_joint("silu", called(mine[2], {named("x", x)}), {x}, [=](const Step& s) {
      return Tensors{called(mine[3], {named("g", s.grad), named("x", s.input(0))})};
    });
  };
}

void put_rope(Parts& parts, const Functions& mine) {
  parts.rope = [=](const Tensor& x) {
    const Tensor row = reshape(cast(arange(x.size(0)), DType::f64), {1, x.size(0)});
    const std::vector<Array> rest = {named("positions", row), number("width", static_cast<double>(x.size(1))), number("theta", 10000)};
    const auto with = [=](const std::string& name, const Tensor& t) { return std::vector<Array>{named(name, t), rest[0], rest[1], rest[2]}; };
    return record_joint("rope", called(mine[0], with("x", x)), {x},
                  [=](const Step& s) { return Tensors{called(mine[1], with("g", s.grad))}; });
  };
}

void put_attention(Parts& parts, const Functions& mine) {
  const auto library = parts.attention;
  parts.attention = [=](const Tensor& q, const Tensor& k, const Tensor& v) {
    Tensor y = called(mine[0], {named("q", q), named("k", k), named("v", v)});
    return own_value("attention", y, {q, k, v}, [=](const Tensors& in) { return Tensors{library(in[0], in[1], in[2])}; });
  };
}

void put_loss(Parts& parts, const Functions& mine) {
  parts.loss = [=](const Tensor& scores, const Tensor& targets) {
    const Array target = array("target", {1, static_cast<int>(targets.numel())}, array_of("target", targets).numbers);
    const Array smoothing = number("smoothing", 0);
    Tensor y = called(mine[0], {named("z", scores), target, smoothing});
    return record_joint("cross_entropy", reshape(y, Shape{}), {scores}, [=](const Step& s) {
      return Tensors{called(mine[1], {number("g", s.grad.item()), named("z", s.input(0)), target, smoothing})};
    });
  };
}

// Students' heads are made of ops: they have their gradients.
void put_heads(Parts& parts, const Functions& mine) {
  const auto split = parts.split_heads;
  const auto merge = parts.merge_heads;
  parts.split_heads = [=](const Tensor& x, int64_t heads) {
    const Tensor g = zeros({x.size(0), heads, x.size(1), x.size(2) / heads}, DType::f64);
    Tensor y = called(mine[0], {named("x", x), named("g", g), number("heads", static_cast<double>(heads))});
    return own_value("split_heads", y, {x}, [=](const Tensors& in) { return Tensors{split(in[0], heads)}; });
  };
  parts.merge_heads = [=](const Tensor& x) {
    const Tensor g = zeros({x.size(0), x.size(2), x.size(1) * x.size(3)}, DType::f64);
    Tensor y = called(mine[1], {named("x", x), named("g", g)});
    return own_value("merge_heads", y, {x}, [=](const Tensors& in) { return Tensors{merge(in[0])}; });
  };
}

void put_optimizer(Parts& parts, const Functions& mine) {
  parts.optimize = [=](Optimized& p, int t, double lr) {
    const Outputs after = mine[1]({"in place",
                                   {named("theta", p.value), named("g", p.value.grad()), named("m", p.m), named("v", p.v), number("t", t),
                                    array("lr, decay", {1, 2}, {lr, 0.1}), array("betas", {1, 2}, {0.9, 0.95}), number("eps", kEps)}});
    p.value.assign(tensor_of(after[0]));
    p.m = tensor_of(after[1]);
    p.v = tensor_of(after[2]);
  };
}

const std::map<std::string, Put>& seams() {
  static const std::map<std::string, Put> all = {
      {"rms-norm", put_norm},       {"softmax", put_softmax},     {"activations", put_activation}, {"rope", put_rope},
      {"attention", put_attention}, {"cross-entropy", put_loss}, {"heads", put_heads},           {"adamw", put_optimizer},
  };
  return all;
}

}  // namespace

bool has_place(const std::string& id) { return seams().count(id) == 1; }

Parts with_mine(const std::string& id, const Functions& mine) {
  check<ValueError>(has_place(id), "'{}' has no place in the language model", id);
  Parts parts = library_parts();
  seams().at(id)(parts, mine);
  return parts;
}

InPlace in_place(const std::string& id, const Functions& mine, int steps, const std::function<void(int, double)>& tell) {
  const Training reference = train_with(library_parts(), steps);
  const Training own = train_with(with_mine(id, mine), steps, tell);
  InPlace result;
  for (std::size_t t = 0; t < reference.losses.size(); ++t) {
    result.step = static_cast<int>(t) + 1;
    result.mine = own.losses[t];
    result.library = reference.losses[t];
    if (!(std::abs(result.mine - result.library) < 1e-6)) {
      result.first = first_difference(own, reference);
      return result;
    }
  }
  result.same = true;
  return result;
}

}  // namespace gradus::exercises
