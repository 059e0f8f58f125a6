#include "examples/shared/study/taxonomy.h"

#include "core/tape/grad_mode.h"

namespace gradus::examples {

// #region pos-taxonomy
Taxonomy taxonomy_of(nn::PositionEncoding& position, const nn::PositionOptions& o) {
  const NoGrad off;
  const Tensors parameters = position.parameters();
  const DType dtype = parameters.empty() ? DType::f32 : parameters[0].dtype();
  const Tensor embedding = ones({1, 1, o.d_model}, dtype), head = ones({1, 1, o.heads, o.head_dim}, dtype);
  const Tensor place = arange(1);
  Taxonomy result{};
  result.learned = !parameters.empty();
  result.on_embedding = !position.on_embedding(embedding, place).same_as(embedding);
  result.on_queries_and_keys = !position.on_queries(head, place).same_as(head);
  result.on_scores = position.on_scores(head, head, {place, place}, 1).defined();
  result.on_values = position.acts_on_values();
  if (result.on_embedding) {
    result.kind = Taxonomy::Kind::absolute;
  } else if (result.on_queries_and_keys || result.on_scores || result.on_values) {
    result.kind = Taxonomy::Kind::relative;
  }
  return result;
}
// #endregion pos-taxonomy

std::string Taxonomy::str() const {
  if (kind == Kind::none) return "none";
  std::string text = kind == Kind::absolute ? "absolute, " : "relative, ";
  text += learned ? "learned:" : "fixed:";
  for (const auto& [acts, where] : {std::pair{on_embedding, " embedding,"},
                                    {on_queries_and_keys, " queries and keys,"},
                                    {on_scores, " scores,"},
                                    {on_values, " values,"}}) {
    if (acts) text += where;
  }
  text.pop_back();
  return text;
}

}  // namespace gradus::examples
