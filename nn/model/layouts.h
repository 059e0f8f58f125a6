// Layouts: what well-known models choose where TransformerOptions leaves a choice.
#pragma once

#include "core/options/table.h"
#include "nn/model/transformer_options.h"

namespace gradus::nn {

// Each takes the sizes, and returns them with the model's choices: LanguageModel(gemma3({.d_model = 64, .layers = 6})). They name
// rotations of halves, so that weights fit as they are published.
TransformerOptions gemma2(TransformerOptions sizes = {});   // Gemma Team, 2024; two layers or more
TransformerOptions gemma3(TransformerOptions sizes = {});   // Gemma Team, 2025; the 1B model, whose pattern is of six layers
TransformerOptions gpt_oss(TransformerOptions sizes = {});  // OpenAI, 2025; two layers or more, dense in place of its experts
TransformerOptions qwen3(TransformerOptions sizes = {});    // Qwen Team, 2025; its dense models
TransformerOptions smollm3(TransformerOptions sizes = {});  // Hugging Face, 2025; four layers or more

using Layout = TransformerOptions (*)(TransformerOptions sizes);
const Table<Layout>& layouts();  // by name: "gemma3", …

}  // namespace gradus::nn
