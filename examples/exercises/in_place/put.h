// Puts a student's functions in the place of the GPT's parts.
#pragma once

#include "examples/exercises/grader/function.h"
#include "examples/exercises/in_place/parts.h"

namespace gradus::exercises::put {

// Ops and layers.
void rule_mul(Parts& parts, const Functions& mine);
void rule_broadcast(Parts& parts, const Functions& mine);
void rule_matmul(Parts& parts, const Functions& mine);
void activations(Parts& parts, const Functions& mine);
void swiglu(Parts& parts, const Functions& mine);
void rms_norm(Parts& parts, const Functions& mine);

// Positions and attention.
void softmax(Parts& parts, const Functions& mine);
void rope(Parts& parts, const Functions& mine);
void attention(Parts& parts, const Functions& mine);
void attention_gradient(Parts& parts, const Functions& mine);  // of the attention that is there
void heads(Parts& parts, const Functions& mine);
void kv_cache(Parts& parts, const Functions& mine);

// What is around them.
void block(Parts& parts, const Functions& mine);
void cross_entropy(Parts& parts, const Functions& mine);
void the_walk(Parts& parts, const Functions& mine);
void adamw(Parts& parts, const Functions& mine);
void clip_and_schedule(Parts& parts, const Functions& mine);
void sampling(Parts& parts, const Functions& mine);

}  // namespace gradus::exercises::put
