// A child that members() leaves out: its parameters get gradients, and no optimizer has them. It is said once.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <thread>

#include "nn/nn.h"
#include "optim/optim.h"
#include "tests/core/io/temporary_directory.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

struct Autoencoder : nn::Layer {
  explicit Autoencoder(bool forgets_child) : forgets(forgets_child) {}
  bool forgets;
  nn::Linear in{4, 2}, out{2, 4};
  Tensor forward(const Tensor& x) override { return out(tanh(in(x))); }
  void members(nn::Members& m) override {
    m.child("in", in);
    if (!forgets) m.child("out", out);
  }
};

void step(nn::Layer& model, optim::Optimizer& optimizer) {
  mean(square(model(ones({3, 4})) - 1)).backward();
  optimizer.step();
  optimizer.zero_grad();
}

// What f says on stderr, in a thread of its own, which has said nothing before.
std::string said(const std::function<void()>& f) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("said");
  std::fflush(stderr);
  const int before = ::dup(2);
  REQUIRE(std::freopen(path.c_str(), "w", stderr) != nullptr);
  std::thread(f).join();
  std::fflush(stderr);
  ::dup2(before, 2);
  ::close(before);
  return read_bytes(path);
}

}  // namespace

TEST_CASE("optim: parameters that get a gradient, and that no optimizer has, are told in the first step, and once") {
  const std::string text = said([] {
    Autoencoder model(true), again(true);
    for (Autoencoder* one : {&model, &again}) {
      optim::SGD optimizer(one->named_parameters(), {.lr = 0.1});
      for (int i = 0; i < 3; ++i) step(*one, optimizer);
    }
  });
  CHECK(text.rfind("SGD: no optimizer has 2 of the modules' parameters that got a gradient, such as #", 0) == 0);
  CHECK_MESSAGE(mentions(text, " [4, 2]. Does a members() leave out a child?"), text);
  CHECK(std::count(text.begin(), text.end(), '\n') == 1);
}

TEST_CASE("optim: nothing is told of a whole model, of two optimizers, of one made after backward, and of what is frozen") {
  CHECK(said([] {
          Autoencoder model(false);
          optim::SGD optimizer(model.named_parameters(), {.lr = 0.1});
          step(model, optimizer);
        }) == "");
  CHECK(said([] {  // as a generator and what judges it
          Autoencoder model(false);
          optim::SGD first(model.in.named_parameters(), {.lr = 0.1});
          optim::AdamW second(model.out.named_parameters());
          step(model, first);
          second.step();
        }) == "");
  CHECK(said([] {
          Autoencoder model(false);
          mean(square(model(ones({3, 4})))).backward();
          optim::SGD late(model.named_parameters(), {.lr = 0.1});
          late.step();
        }) == "");
  CHECK(said([] {
          Autoencoder model(false);
          for (Tensor& p : model.in.parameters()) Tensor(p).set_requires_grad(false);
          optim::SGD optimizer(model.out.named_parameters(), {.lr = 0.1});
          step(model, optimizer);
        }) == "");
  CHECK(said([] {  // an input that requires a gradient is no parameter
          nn::Linear model{4, 4};
          optim::SGD optimizer(model.named_parameters(), {.lr = 0.1});
          const Tensor x = ones({2, 4}).set_requires_grad();
          mean(square(model(x))).backward();
          optimizer.step();
        }) == "");
}
