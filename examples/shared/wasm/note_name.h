// What the page adds to a declaration, before it walks a program: what the reader calls a tensor.
#pragma once

namespace gradus {
class Tensor;
namespace inspect {

void note_name(const char* name, const Tensor& x);
template <typename T> void note_name(const char*, const T&) {}  // is no tensor

}  // namespace inspect
}  // namespace gradus
