// Exceptions for the page. The C++ library of its compiler is built without them; this is what it lacks of the C++ ABI (Itanium), for
// one thread. A `throw` sends the address of a Flight through WebAssembly's own exceptions. Where it comes by a `try`, the compiler's
// code asks _Unwind_CallPersonality which `catch` takes it, and then calls __cxa_begin_catch and __cxa_end_catch around that.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>

// The kind of exception that carries an address, for all that is linked.
asm(".tagtype __cpp_exception i32\n.globl __cpp_exception\n__cpp_exception:\n");

namespace __cxxabiv1 {

// As the library has it, which defines these: can `caught` take `thrown`? `value` becomes the address of the part that it takes.
struct __shim_type_info : std::type_info {
  ~__shim_type_info() override;
  virtual void noop1() const;
  virtual void noop2() const;
  virtual bool can_catch(const __shim_type_info* thrown, void*& value) const = 0;
};

}  // namespace __cxxabiv1

namespace {

using Type = __cxxabiv1::__shim_type_info;

// What was thrown, once; its value stands behind it.
struct alignas(16) Thrown {
  const Type* type;
  void* (*destroy)(void* value);  // a destructor, which here returns its argument
  int owners;
  void* value() { return this + 1; }
};

// Each way of it from a throw, or a throw again, to a catch.
struct Flight {
  Thrown* thrown;
  void* caught_as;  // the part of the value that the catch takes
  Flight* before;   // caught by a catch around this one
};

Flight* caught = nullptr;
unsigned flying = 0;

Thrown* thrown_of(void* value) { return static_cast<Thrown*>(value) - 1; }

void* memory(std::size_t bytes) {
  if (void* found = std::malloc(bytes)) return found;
  std::terminate();
}

void release(Thrown* thrown) {
  if (--thrown->owners > 0) return;
  if (thrown->destroy != nullptr) thrown->destroy(thrown->value());
  std::free(thrown);
}

[[noreturn]] void fly(Thrown* thrown) {
  ++thrown->owners;
  ++flying;
  __builtin_wasm_throw(0, new (memory(sizeof(Flight))) Flight{thrown, thrown->value(), nullptr});
}

// A number of the compiler's tables (LEB128).
std::intptr_t number(const std::uint8_t*& at, bool has_sign) {
  std::intptr_t value = 0;
  unsigned bits = 0;
  std::uint8_t byte = 0x80;
  for (; byte & 0x80; bits += 7) value |= static_cast<std::intptr_t>((byte = *at++) & 0x7f) << bits;
  return has_sign && (byte & 0x40) && bits < 8 * sizeof(value) ? value | -(std::intptr_t{1} << bits) : value;
}

std::intptr_t natural(const std::uint8_t*& at) { return number(at, false); }

// The number of the catch that takes it, 0 if none does. The table (LSDA) of a function: an offset to the end of its types, a list of
// its landing pads, each with a place in the list of actions; an action is the number of a type, counted from the end, and the way to
// the next action.
std::intptr_t taken_by(const std::uint8_t* table, std::uintptr_t landing_pad, Flight& flight) {
  const std::uint8_t* at = table + 2;  // two encodings, which are always the same
  const std::intptr_t types_end = natural(at);
  const auto* types = reinterpret_cast<const Type* const*>(at + types_end);
  ++at;  // another encoding
  const std::intptr_t bytes = natural(at);
  const std::uint8_t* actions = at + bytes;
  std::intptr_t first = 0;
  for (std::uintptr_t i = 0; i <= landing_pad; ++i) {
    natural(at);  // its own number
    first = natural(at);
  }
  if (first == 0) return 0;
  for (at = actions + first - 1;;) {
    const std::intptr_t number_of_type = number(at, true);
    if (number_of_type > 0) {
      const Type* type = types[-number_of_type];
      void* part = flight.thrown->value();
      if (type == nullptr || type->can_catch(flight.thrown->type, part)) {  // nullptr: catch (...)
        flight.caught_as = part;
        return number_of_type;
      }
    }
    const std::uint8_t* here = at;
    const std::intptr_t step = number(at, true);
    if (step == 0) return 0;
    at = here + step;
  }
}

}  // namespace

extern "C" {

// Between the compiler's code and _Unwind_CallPersonality.
thread_local struct {
  std::uintptr_t landing_pad;
  const std::uint8_t* table;
  std::intptr_t selector;
} __wasm_lpad_context;

int _Unwind_CallPersonality(void* flight) {
  auto& context = __wasm_lpad_context;
  context.selector = taken_by(context.table, context.landing_pad, *static_cast<Flight*>(flight));
  return 0;
}

void* __cxa_allocate_exception(std::size_t bytes) noexcept { return (new (memory(sizeof(Thrown) + bytes)) Thrown{})->value(); }
void __cxa_free_exception(void* value) noexcept { std::free(thrown_of(value)); }

[[noreturn]] void __cxa_throw(void* value, std::type_info* type, void* (*destroy)(void*)) {
  *thrown_of(value) = {static_cast<const Type*>(type), destroy, 0};
  fly(thrown_of(value));
}

void* __cxa_get_exception_ptr(void* flight) noexcept { return static_cast<Flight*>(flight)->caught_as; }

void* __cxa_begin_catch(void* flight) noexcept {
  auto* one = static_cast<Flight*>(flight);
  --flying;
  one->before = caught;
  caught = one;
  return one->caught_as;
}

void __cxa_end_catch() {
  Flight* one = caught;
  caught = one->before;
  Thrown* thrown = one->thrown;
  std::free(one);
  release(thrown);
}

[[noreturn]] void __cxa_rethrow() {
  if (caught == nullptr) std::terminate();
  fly(caught->thrown);
}

// What std::exception_ptr is made of.
void __cxa_increment_exception_refcount(void* value) noexcept {
  if (value != nullptr) ++thrown_of(value)->owners;
}
void __cxa_decrement_exception_refcount(void* value) noexcept {
  if (value != nullptr) release(thrown_of(value));
}
void* __cxa_current_primary_exception() noexcept {
  if (caught == nullptr) return nullptr;
  ++caught->thrown->owners;
  return caught->thrown->value();
}
void __cxa_rethrow_primary_exception(void* value) {
  if (value != nullptr) fly(thrown_of(value));
}
unsigned __cxa_uncaught_exceptions() noexcept { return flying; }
bool __cxa_uncaught_exception() noexcept { return flying > 0; }
std::type_info* __cxa_current_exception_type() noexcept { return caught == nullptr ? nullptr : const_cast<Type*>(caught->thrown->type); }

}  // extern "C"

// The library's ends the program where there is no memory left.
void* operator new(std::size_t bytes) {
  if (void* found = std::malloc(bytes > 0 ? bytes : 1)) return found;
  throw std::bad_alloc();
}
