#include "examples/exercises/set/rule_matmul.h"

#include <fmt/format.h>

#include <cmath>

#include "core/core.h"
#include "examples/exercises/set/set.h"

namespace gradus::exercises::set {
namespace in_rule_matmul {
namespace {

// An input with zeros behind it: who exchanges rows and columns of a matrix that is not square reads beyond its end, and always
// finds the same there.
struct Padded {
  std::vector<double> numbers;
  int rows, columns;

  explicit Padded(const Array& array) : numbers(array.numbers), rows(rows_of(array)), columns(columns_of(array)) {
    numbers.resize(numbers.size() + 256, 0);
  }
  In in() const { return {rows, columns, numbers.data()}; }
  double operator()(int row, int column) const { return numbers[row * columns + column]; }
};

template <typename F> double total(int n, const F& term) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += term(i);
  return sum;
}

// An array of this shape, from f(row, column).
template <typename F> Array filled(const std::string& name, const Array& like, const F& f) {
  Array made{name, like.shape, {}};
  for (int i = 0; i < rows_of(like); ++i) {
    for (int j = 0; j < columns_of(like); ++j) made.numbers.push_back(f(i, j));
  }
  return made;
}

double product_sum(const Tensor& g, const Tensor& y) { return sum(g * y).item(); }

double dot(const Array& a, const Array& b) { return product_sum(tensor_of(a), tensor_of(b)); }

std::string differs(const std::string& what, double mine, double right) {
  return std::abs(mine - right) > 1e-9 * (1 + std::abs(right)) ? fmt::format("that of {} is {}, not {}", what, beside(mine, right), beside(right, mine)) : "";
}

const char* const kLaw = "each factor times its gradient has the same sum as g ⊙ y";

// For y = f(first, second).
template <typename F> Law law_of(const std::string& first, const std::string& second, const F& f) {
  return {kLaw, [=](const Probe& p, const Outputs& outputs) {
            const double right = product_sum(tensor_of(p["g"]), f(tensor_of(p[first]), tensor_of(p[second]), p));
            const std::string how = differs(fmt::format("{0} ⊙ d{0}", first), dot(outputs[0], p[first]), right);
            return how.empty() ? differs(fmt::format("{0} ⊙ d{0}", second), dot(outputs[1], p[second]), right) : how;
          },
          "y_ij is a sum of products: which of them has the number whose gradient you want, and with which factor?"};
}

template <typename F> Function right_of(const std::string& first, const std::string& second, const F& f) {
  return [=](const Probe& p) {
    const Tensor a = tensor_of(p[first]).set_requires_grad(), b = tensor_of(p[second]).set_requires_grad();
    const Tensors grads = grad({f(a, b, p)}, {a, b}, {.seeds = {tensor_of(p["g"])}});
    return Outputs{array_of("d" + first, grads[0]), array_of("d" + second, grads[1])};
  };
}

// --- y = a b ------------------------------------------------------------------------------------------------
enum Wrong { b_not_transposed, a_not_transposed, exchanged, da_last_term, db_last_term, da_running, db_running, mean_over_rows, without_g, by_elements,
             whole_sums, g_transposed, da_running_row, db_running_row };

// The sum in a number that holds whole ones.
double whole_total(int n, const std::function<double(int)>& term) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum = std::trunc(sum + term(i));
  return sum;
}

double last_or_all(int n, bool last, const std::function<double(int)>& term) { return last ? term(n - 1) : total(n, term); }

// Each sum begins where the one before it ended, the first of a row (or of all, if `through`) with 0.
void make_running(Array& array, bool through) {
  const auto columns = static_cast<std::size_t>(columns_of(array));
  for (std::size_t i = 1; i < array.numbers.size(); ++i) array.numbers[i] += through || i % columns > 0 ? array.numbers[i - 1] : 0;
}

Outputs matmul_with(const Probe& p, Made made) {
  const Padded g(p["g"]), a(p["a"]), b(p["b"]);
  const auto g_at = [&](int s, int j) { return made[without_g] ? 1 : made[g_transposed] ? g(j, s) : g(s, j); };
  const auto sum_of = [&](int n, bool last, const std::function<double(int)>& term) {
    return made[whole_sums] ? whole_total(n, term) : last_or_all(n, last, term);
  };
  const auto of_a = [&](int s, int k) {
    if (made[by_elements]) return g_at(s, k) * b(s, k);
    return sum_of(g.columns, made[da_last_term], [&](int j) { return g_at(s, j) * (made[b_not_transposed] ? b(j, k) : b(k, j)); });
  };
  const auto of_b = [&](int k, int j) {
    if (made[by_elements]) return g_at(k, j) * a(k, j);
    return sum_of(g.rows, made[db_last_term], [&](int s) { return (made[a_not_transposed] ? a(k, s) : a(s, k)) * g_at(s, j); });
  };
  Array da = made[exchanged] ? filled("da", p["a"], of_b) : filled("da", p["a"], of_a);
  Array db = made[exchanged] ? filled("db", p["b"], of_a) : filled("db", p["b"], of_b);
  if (made[da_running] || made[da_running_row]) make_running(da, made[da_running]);
  if (made[db_running] || made[db_running_row]) make_running(db, made[db_running]);
  for (double& value : db.numbers) value /= made[mean_over_rows] ? g.rows : 1;
  return {da, db};
}

Tensor matmul_value(const Tensor& a, const Tensor& b, const Probe&) { return matmul(a, b); }

std::vector<Probe> matmul_probes() {
  std::vector<Probe> probes = {{"a of [2, 3], b of [3, 4]", {array("g", {2, 4}, {1, 0, -1, 2, 0, 1, 0, 1}), array("a", {2, 3}, {1, 2, 0, 0, -1, 3}),
                                                             array("b", {3, 4}, {1, 0, 2, 1, 0, 1, 1, -1, 2, 1, 0, 0})}}};
  const auto add = [&](int rows, int inner, int columns) {
    const std::uint64_t seed = 131 + 3 * probes.size();
    probes.push_back({fmt::format("a of [{}, {}], b of [{}, {}]", rows, inner, inner, columns),
                      {drawn("g", {rows, columns}, seed, 1, 0.3), drawn("a", {rows, inner}, seed + 1, 1, 0.5), drawn("b", {inner, columns}, seed + 2, 2, -0.2)}});
  };
  add(3, 3, 3);
  add(4, 2, 3);
  add(3, 5, 2);
  return probes;
}

Stage matmul_stage() {
  return {
      .function = "matmul_gradient",
      .right = right_of("a", "b", matmul_value),
      .with = matmul_with,
      .mistakes =
          {
              {b_not_transposed, "op/b-not-transposed", "Which numbers of b does a_00 meet: a row of b, or a column?", "da = g b, where g bᵀ is meant"},
              {a_not_transposed, "op/a-not-transposed", "Which numbers of a does b_00 meet: a row of a, or a column?", "db = a g, where aᵀ g is meant"},
              {exchanged, "op/gradients-exchanged", "Which of the two gradients is made of b?", "da is made as db should be, and db as da"},
              {da_last_term, "op/da-last-term", "How many numbers of y does one number of a move?", "da has the last term of its sum alone"},
              {db_last_term, "op/db-last-term", "How many rows use one weight?", "db has the last term of its sum alone"},
              {da_running, "op/da-not-begun-anew", "With what does the sum for the second number begin?", "the sum for each number of da begins where the one before ended"},
              {db_running, "op/db-not-begun-anew", "With what does the sum for the second number begin?", "the sum for each number of db begins where the one before ended"},
              {mean_over_rows, "op/mean-over-rows", "Do gradients of several uses add up, or average?", "a mean over the rows, where a sum is meant"},
              {without_g, "op/g-missing", "y moves by 4: how far does the loss move?", "the slopes of y, without what arrives at y"},
              {by_elements, "op/matrix-by-elements", "How many numbers of y does one number of a move?", "the rule of a product number by number"},
              {whole_sums, "op/whole-sums", "What becomes of 0.7 in an int?", "the sums are kept in whole numbers"},
              {g_transposed, "op/g-transposed", "Which number of g belongs to y_sj: g_sj, or g_js?", "g is read with rows and columns exchanged"},
              {da_running_row, "op/da-not-begun-anew", "With what does the sum for the second number of a row begin?"},
              {db_running_row, "op/db-not-begun-anew", "With what does the sum for the second number of a row begin?"},
          },
      .probes = matmul_probes(),
      .laws = {law_of("a", "b", matmul_value)},
      .hints = {"Which numbers of y move when a_00 grows? And beside which number of b does a_00 stand in each of them?",
                "Three loops each. The outer two go over the gradient that is made, the inner one over the numbers of y that this number moves.",
                "Both gradients are products again, with one factor transposed. With three different sizes the shapes leave one way.",
                "dL/da = g bᵀ and dL/db = aᵀ g: da_sk = Σ_j g_sj b_kj, db_kj = Σ_s a_sk g_sj."},
  };
}

// --- y = a b for each b of a stack --------------------------------------------------------------------------
enum WrongStack { last_matrix, first_matrix, mean_over_stack, same_b, same_g, stack_b_not_transposed, stack_a_not_transposed, wrong_place,
                  g_wrong_place, db_in_first };

Outputs stack_with(const Probe& p, Made made) {
  const Padded g(p["g"]), a(p["a"]), b(p["b"]);
  const int matrices = p.whole("matrices"), rows = a.rows, inner = a.columns;
  const auto g_at = [&](int m, int s, int j) { return g((made[same_g] ? 0 : m) * (made[g_wrong_place] ? inner : rows) + s, j); };
  const auto b_at = [&](int m, int k, int j) {
    const int top = (made[same_b] ? 0 : m) * (made[wrong_place] ? rows : inner);
    return made[stack_b_not_transposed] ? b(top + j, k) : b(top + k, j);
  };
  const auto of_a = [&](int s, int k) {
    const auto of_matrix = [&](int m) { return total(g.columns, [&](int j) { return g_at(m, s, j) * b_at(m, k, j); }); };
    if (made[first_matrix]) return of_matrix(0);
    return last_or_all(matrices, made[last_matrix], of_matrix) / (made[mean_over_stack] ? matrices : 1);
  };
  const auto of_b = [&](int row, int j) {
    const int m = row / inner, k = row % inner;
    if (made[db_in_first]) {
      return m > 0 ? 0 : total(matrices, [&](int each) { return total(rows, [&](int s) { return a(s, k) * g_at(each, s, j); }); });
    }
    return total(rows, [&](int s) { return (made[stack_a_not_transposed] ? a(k, s) : a(s, k)) * g_at(m, s, j); });
  };
  return {filled("da", p["a"], of_a), filled("db", p["b"], of_b)};
}

Tensor stack_value(const Tensor& a, const Tensor& b, const Probe& p) {
  const Tensor each = matmul(a, reshape(b, {p.whole("matrices"), a.size(1), b.size(1)}));
  return reshape(each, {each.size(0) * each.size(1), each.size(2)});
}

std::vector<Probe> stack_probes() {
  std::vector<Probe> probes;
  const auto add = [&](int matrices, int rows, int inner, int columns) {
    const std::uint64_t seed = 151 + 3 * probes.size();
    probes.push_back({fmt::format("a of [{}, {}], and {} matrices [{}, {}]", rows, inner, matrices, inner, columns),
                      {number("matrices", matrices), drawn("g", {matrices * rows, columns}, seed, 1, 0.3), drawn("a", {rows, inner}, seed + 1, 1, 0.5),
                       drawn("b", {matrices * inner, columns}, seed + 2, 2, -0.2)}});
  };
  add(2, 1, 2, 3);
  probes[0].inputs = {number("matrices", 2), array("g", {2, 3}, {1, 2, 0, -1, 1, 3}), array("a", {1, 2}, {1, 2}), array("b", {4, 3}, {1, 0, 2, 3, 1, 0, 0, 1, -1, 2, 0, 1})};
  add(2, 3, 3, 3);
  add(3, 2, 4, 5);
  add(4, 3, 2, 5);
  return probes;
}

Stage stack_stage() {
  return {
      .function = "stack_gradient",
      .right = right_of("a", "b", stack_value),
      .with = stack_with,
      .mistakes =
          {
              {last_matrix, "op/matmul-batch-not-summed", "How many matrices of the stack does a meet?", "da is that of the last matrix alone: the stack is not summed", "flashlight PR760"},
              {first_matrix, "op/first-of-stack", "How many matrices of the stack does a meet?", "da is that of the first matrix alone"},
              {mean_over_stack, "op/mean-over-stack", "Do gradients of several uses add up, or average?", "da is a mean over the stack, not a sum"},
              {same_b, "op/one-b-for-all", "Which b belongs to the second part of g?", "da meets the first b with every part of g"},
              {same_g, "op/one-g-for-all", "Which part of g belongs to the second b?", "each b meets the first part of g"},
              {stack_b_not_transposed, "op/b-not-transposed", "Which numbers of b does a_00 meet: a row of b, or a column?", "da = g b, where g bᵀ is meant"},
              {stack_a_not_transposed, "op/a-not-transposed", "Which numbers of a does b_00 meet: a row of a, or a column?", "db = a g, where aᵀ g is meant"},
              {wrong_place, "op/wrong-place-in-stack", "How many rows has each b?", "the b of the stack are taken to have as many rows as a"},
              {g_wrong_place, "op/wrong-place-in-g", "How many rows has each part of g?", "the parts of g are taken to have as many rows as b"},
              {db_in_first, "op/db-in-first-place", "Where does the gradient of the second b stand?", "the gradients of all b are added up in the place of the first"},
          },
      .probes = stack_probes(),
      .laws = {law_of("a", "b", stack_value)},
      .hints = {"There is one a, and there are several b. What of a and of one b is shared by the matrices of the stack?",
                "A loop over the matrices around those of a single one. Matrix m begins at row m · inner of b, and at row m · rows of g.",
                "What is used in several places gets the sum of their gradients; what is used once does not.",
                "dL/da = Σ_m g_m b_mᵀ, begun with 0 before the first matrix; dL/db_m = aᵀ g_m."},
  };
}

// --- y = a v ------------------------------------------------------------------------------------------------
enum WrongVector { inner_product, outer_exchanged, dv_not_transposed, dv_last_term, da_without_v, da_without_g, dv_without_g, dv_mean };

Outputs vector_with(const Probe& p, Made made) {
  const Padded g(p["g"]), a(p["a"]), v(p["v"]);
  const auto of_a = [&](int s, int k) {
    if (made[inner_product]) return total(std::min(g.columns, v.columns), [&](int i) { return g(0, i) * v(0, i); });
    const int of_g = made[outer_exchanged] ? k : s, of_v = made[outer_exchanged] ? s : k;
    return (made[da_without_g] ? 1 : g(0, of_g)) * (made[da_without_v] ? 1 : v(0, of_v));
  };
  const auto of_v = [&](int, int k) {
    const auto term = [&](int s) { return (made[dv_not_transposed] ? a(k, s) : a(s, k)) * (made[dv_without_g] ? 1 : g(0, s)); };
    return last_or_all(a.rows, made[dv_last_term], term) / (made[dv_mean] ? a.rows : 1);
  };
  return {filled("da", p["a"], of_a), filled("dv", p["v"], of_v)};
}

Tensor vector_value(const Tensor& a, const Tensor& v, const Probe&) { return matmul(v, a, {.transpose_b = true}); }

std::vector<Probe> vector_probes() {
  std::vector<Probe> probes = {{"a of [2, 3]", {array("g", {1, 2}, {1, -2}), array("a", {2, 3}, {1, 2, 0, 0, -1, 3}), array("v", {1, 3}, {3, 1, 2})}}};
  const auto add = [&](int rows, int inner) {
    const std::uint64_t seed = 171 + 3 * probes.size();
    probes.push_back({fmt::format("a of [{}, {}]", rows, inner),
                      {drawn("g", {1, rows}, seed, 1, 0.3), drawn("a", {rows, inner}, seed + 1, 1, 0.5), drawn("v", {1, inner}, seed + 2, 2, -0.2)}});
  };
  add(3, 3);
  add(4, 2);
  add(3, 5);
  return probes;
}

Stage vector_stage() {
  return {
      .function = "vector_gradient",
      .right = right_of("a", "v", vector_value),
      .with = vector_with,
      .mistakes =
          {
              {inner_product, "op/matmul-vector", "How many numbers has the gradient of a?", "one number, Σ g v, in place of a matrix: the transpose of a vector did nothing",
               "harvard-edge/cs249r_book PR1781"},
              {outer_exchanged, "op/outer-exchanged", "a_01 stands in the sum of y_0, beside v_1. So what is its gradient?", "da_sk = v_s g_k, where g_s v_k is meant"},
              {dv_not_transposed, "op/dv-not-transposed", "Which numbers of a does v_0 meet: a row of a, or a column?", "dv = a g, where aᵀ g is meant"},
              {dv_last_term, "op/dv-last-term", "In how many rows is v_0 used?", "dv has the last term of its sum alone"},
              {da_without_v, "op/da-without-v", "a_00 grows by 0.1, and v_0 is 3. How far does y_0 move?", "da is g in each column, without v"},
              {da_without_g, "op/da-without-g", "y_0 moves by 3: how far does the loss move?", "da is v in each row, without g"},
              {dv_without_g, "op/dv-without-g", "y_0 moves by 3: how far does the loss move?", "dv is the sum of a over its rows, without g"},
              {dv_mean, "op/mean-over-rows", "Do gradients of several uses add up, or average?"},
          },
      .probes = vector_probes(),
      .laws = {law_of("a", "v", vector_value)},
      .hints = {"a_01 grows. Which numbers of y move, and beside which number of v does it stand?",
                "da is a matrix, of two loops and no sum; dv is a row, each of whose numbers is a sum over the rows of a.",
                "A number of a stands in one y, a number of v in all of them.",
                "dL/da_sk = g_s v_k and dL/dv_k = Σ_s a_sk g_s."},
  };
}

// --- y = x xᵀ -----------------------------------------------------------------------------------------------
enum WrongGram { first_half, second_half, first_twice, second_twice, halved, subtracted, gram_last_term, diagonal_once, own_row, up_to_diagonal };

Outputs gram_with(const Probe& p, Made made) {
  const Padded g(p["g"]), x(p["x"]);
  const auto weight = [&](int s, int t) {
    double first = g(s, t), second = g(t, s);
    if (made[first_half] || made[first_twice]) second = made[first_twice] ? first : 0;
    if (made[second_half] || made[second_twice]) first = made[second_twice] ? second : 0;
    if (made[diagonal_once] && s == t) second = 0;
    return (first + (made[subtracted] ? -second : second)) / (made[halved] ? 2 : 1);
  };
  return {filled("dx", p["x"], [&](int s, int k) {
    const int rows = made[up_to_diagonal] ? s + 1 : x.rows;
    return last_or_all(rows, made[gram_last_term], [&](int t) { return weight(s, t) * x(made[own_row] ? s : t, k); });
  })};
}

Tensor gram_value(const Tensor& x) { return matmul(x, x, {.transpose_b = true}); }

Outputs gram_right(const Probe& p) {
  const Tensor x = tensor_of(p["x"]).set_requires_grad();
  return {array_of("dx", grad({gram_value(x)}, {x}, {.seeds = {tensor_of(p["g"])}})[0])};
}

std::string grows_twice(const Probe& p, const Outputs& outputs) {
  return differs("x ⊙ dx", dot(outputs[0], p["x"]), 2 * product_sum(tensor_of(p["g"]), gram_value(tensor_of(p["x"]))));
}

std::vector<Probe> gram_probes() {
  std::vector<Probe> probes = {{"x of [2, 3]", {array("g", {2, 2}, {1, 2, -1, 3}), array("x", {2, 3}, {1, 2, 0, 0, -1, 3})}}};
  const auto add = [&](int rows, int inner) {
    const std::uint64_t seed = 191 + 2 * probes.size();
    probes.push_back({fmt::format("x of [{}, {}]", rows, inner), {drawn("g", {rows, rows}, seed, 1, 0.3), drawn("x", {rows, inner}, seed + 1, 1, 0.5)}});
  };
  add(3, 3);
  add(4, 2);
  add(3, 5);
  return probes;
}

Stage gram_stage() {
  return {
      .function = "gram_gradient",
      .right = gram_right,
      .with = gram_with,
      .mistakes =
          {
              {first_half, "op/one-of-both-factors", "In how many places of x xᵀ does x stand?", "of the two gradients of x one is lost: it is g x alone, or gᵀ x alone", "PaddlePaddle/Paddle#11977"},
              {second_half, "op/one-of-both-factors", "In how many places of x xᵀ does x stand?"},
              {first_twice, "op/gram-as-if-symmetric", "Is g equal to gᵀ?", "one of the two gradients of x twice, as if g were symmetric"},
              {second_twice, "op/gram-as-if-symmetric", "Is g equal to gᵀ?"},
              {halved, "op/mean-for-sum", "Do gradients of several uses add up, or average?", "gradients of several uses are averaged"},
              {subtracted, "op/gram-subtracted", "Do gradients of several uses add up?", "the gradients of the two places are subtracted"},
              {gram_last_term, "op/gram-last-term", "How many numbers of y does one number of x move?", "dx has the last term of its sum alone"},
              {diagonal_once, "op/gram-diagonal-once", "y_00 is Σ x_0k². What is its slope?", "on the diagonal only one of the two places counts"},
              {own_row, "op/gram-own-row", "y_st = Σ x_sk x_tk. What does x_sk stand beside?", "row s of dx is made of row s of x, where row t is meant"},
              {up_to_diagonal, "op/gram-half", "Which numbers of y use the first row of x?", "only the rows up to the own one are summed"},
          },
      .probes = gram_probes(),
      .laws = {{"x ⊙ dx has twice the sum of g ⊙ y", grows_twice, "x stands in the product twice. How many terms has its gradient?"}},
      .hints = {"y_01 is the product of rows 0 and 1 of x. Which numbers of y does row 0 move, as the left factor, and as the right one?",
                "Take x xᵀ for a product of two matrices, and see what each of them gets. g need not be symmetric.",
                "x stands in both places, and what stands in two places gets the sum.",
                "dL/dx = g x + gᵀ x."},
  };
}

}  // namespace
}  // namespace in_rule_matmul

Functions rule_matmul(void (*matmul)(In, In, In, Out, Out), void (*stack)(int, In, In, In, Out, Out), void (*vector)(In, In, In, Out, Out),
                      void (*gram)(In, In, Out)) {
  using in_rule_matmul::Padded;
  return {[=](const Probe& p) {
            const Padded g(p["g"]), a(p["a"]), b(p["b"]);
            Sheet da("da", p["a"].shape), db("db", p["b"].shape);
            matmul(g.in(), a.in(), b.in(), da.out(), db.out());
            return Outputs{da.array(), db.array()};
          },
          [=](const Probe& p) {
            const Padded g(p["g"]), a(p["a"]), b(p["b"]);
            Sheet da("da", p["a"].shape), db("db", p["b"].shape);
            stack(p.whole("matrices"), g.in(), a.in(), b.in(), da.out(), db.out());
            return Outputs{da.array(), db.array()};
          },
          [=](const Probe& p) {
            const Padded g(p["g"]), a(p["a"]), v(p["v"]);
            Sheet da("da", p["a"].shape), dv("dv", p["v"].shape);
            vector(g.in(), a.in(), v.in(), da.out(), dv.out());
            return Outputs{da.array(), dv.array()};
          },
          [=](const Probe& p) {
            const Padded g(p["g"]), x(p["x"]);
            Sheet dx("dx", p["x"].shape);
            gram(g.in(), x.in(), dx.out());
            return Outputs{dx.array()};
          }};
}

Exercise rule_matmul_exercise() {
  namespace in = in_rule_matmul;
  return {
      .number = 3,
      .id = "rule-matmul",
      .title = "the rules of a matrix product",
      .section = "ch00.md#op-matmul",
      .needs = {"rule-mul"},
      .minutes = 40,
      .done = "Square matrices forgive a forgotten transpose; sizes that differ do not. And a factor that is used again gets a sum, over rows, over a stack, over both places.",
      .stages = {in::matmul_stage(), in::stack_stage(), in::vector_stage(), in::gram_stage()},
  };
}

}  // namespace gradus::exercises::set
