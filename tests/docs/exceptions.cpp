// What exceptions can do: compiled here, and with the runtime of the page (examples/shared/wasm/exceptions.cpp), it prints the same.
#include <cstddef>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

struct Loud {
  const char* name;
  ~Loud() { std::printf("~%s(%d) ", name, std::uncaught_exceptions()); }
};
struct Left {
  virtual ~Left() = default;
  int left = 1;
};
struct Right {
  virtual ~Right() = default;
  int right = 2;
};
struct Both : Left, Right {};
struct Half {
  Loud part{"part"};
  Half() { throw 7; }
};
struct Counted {
  static inline int alive = 0;
  int value;
  explicit Counted(int v) : value(v) { ++alive; }
  Counted(const Counted& other) : value(other.value) { ++alive; }
  ~Counted() { --alive; }
};

int deep(int n) {
  const Loud frame{"frame"};
  if (n == 0) throw std::out_of_range("far");
  return deep(n - 1) + 1;
}

int main() {
  try {
    deep(3);
  } catch (const std::runtime_error&) {
    std::printf("wrong\n");
  } catch (const std::logic_error& error) {
    std::printf("logic_error %s\n", error.what());
  }
  try {
    throw Both();
  } catch (const Right& right) {
    std::printf("a base, at its place: %d\n", right.right);
  }
  try {
    throw new Both();
  } catch (Right* right) {
    std::printf("a pointer to a base: %d\n", right->right);
    delete right;
  }
  try {
    const Half half;
  } catch (int number) {
    std::printf("a constructor %d\n", number);
  }
  try {
    try {
      throw std::runtime_error("one");
    } catch (const std::exception& error) {
      throw std::runtime_error(std::string(error.what()) + ", two");
    }
  } catch (const std::runtime_error& error) {
    std::printf("another: %s\n", error.what());
  }
  try {
    try {
      throw Counted(5);
    } catch (Counted& counted) {
      counted.value = 6;
      throw;
    }
  } catch (const Counted& counted) {
    std::printf("the same again: %d, alive %d\n", counted.value, Counted::alive);
  }
  std::printf("alive %d, uncaught %d\n", Counted::alive, std::uncaught_exceptions());

  std::exception_ptr kept;
  try {
    throw Counted(8);
  } catch (...) {
    kept = std::current_exception();
  }
  for (int i = 0; i < 2; ++i) {
    try {
      std::rethrow_exception(kept);
    } catch (const Counted& outer) {
      try {
        std::rethrow_exception(kept);
      } catch (const Counted& inner) {
        std::printf("kept: %d, %s\n", inner.value, &inner == &outer ? "one object" : "two objects");
      }
    }
  }
  std::printf("alive %d", Counted::alive);
  kept = nullptr;
  std::printf(", then %d\n", Counted::alive);

  try {
    try {
      throw 1.5;
    } catch (int) {
      std::printf("wrong\n");
    }
  } catch (double number) {
    std::printf("past a catch: %g\n", number);
  }
  try {
    try {
      throw 'c';
    } catch (...) {
      try {
        throw std::string("inner");
      } catch (const std::string& text) {
        std::printf("%s, ", text.c_str());
      }
      throw;
    }
  } catch (char letter) {
    std::printf("and then the outer %c\n", letter);
  }
  try {
    const std::vector<int> none;
    std::printf("%d\n", none.at(3));
  } catch (const std::out_of_range&) {
    std::printf("at\n");
  }
  try {
    const std::vector<char> all(static_cast<std::size_t>(-1) / 2 - 64);
    std::printf("%zu\n", all.size());
  } catch (const std::bad_alloc&) {
    std::printf("no memory\n");
  }
  try {
    try {
      throw std::runtime_error("within");
    } catch (...) {
      std::throw_with_nested(std::logic_error("around"));
    }
  } catch (const std::exception& error) {
    try {
      std::rethrow_if_nested(error);
    } catch (const std::exception& inner) {
      std::printf("%s %s\n", error.what(), inner.what());
    }
  }
  long long sum = 0;
  for (int i = 0; i < 100000; ++i) {
    try {
      if (i % 3 > 0) throw i;
      ++sum;
    } catch (int number) {
      sum += number;
    }
  }
  std::printf("many: %lld\n", sum);
}
