#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <typeinfo>

#include "examples/exercises/grader/run.h"

namespace gradus::exercises {
namespace {

struct NotRepeated { std::string name; };

std::string name_of_thrown() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (type == nullptr) return "something unknown";
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(type->name(), nullptr, nullptr, nullptr), std::free);
  return std::string("a value of type ") + (name ? name.get() : type->name());
}

Probe with_marks(Probe probe) {
  for (Array& input : probe.inputs) mark_outside(input);
  return probe;
}

// What a function gives depends on its inputs alone: the first probe once more.
void check_repeated(const Function& function, const Probe& first, const Outputs& before) {
  const Outputs again = function(with_marks(first));
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!(again.at(i) == before[i])) throw NotRepeated{before[i].name};
  }
}

}  // namespace

Run run_until_end(const Function& function, const std::vector<Probe>& probes) {
  Run run;
  const auto ended = [&](Run::End end, const std::string& detail = {}) {
    run.end = end;
    run.detail = detail;
  };
  try {
    for (const Probe& probe : probes) {
      const Probe given = with_marks(probe);
      Outputs outputs = function(given);
      for (std::size_t i = 0; i < probe.inputs.size(); ++i) {
        if (!(given.inputs[i] == probe.inputs[i])) throw InputChanged{probe.inputs[i].name};
      }
      run.outputs.push_back(std::move(outputs));
    }
    if (!probes.empty()) check_repeated(function, probes[0], run.outputs[0]);
  } catch (const NotWritten&) {
    ended(Run::End::not_written);
  } catch (const WroteOutside& outside) {
    ended(Run::End::wrote_outside, outside.array);
  } catch (const InputChanged& changed) {
    ended(Run::End::changed_input, changed.array);
  } catch (const WrongShape& shape) {
    ended(Run::End::wrong_shape, shape.array + " has the shape " + shape.got + ", expected " + shape.expected);
  } catch (const GradientCut& cut) {
    ended(Run::End::gradient_cut, cut.array);
  } catch (const Ended& there) {
    ended(there.end, there.detail);
  } catch (const NotRepeated& array) {
    ended(Run::End::not_repeated, array.name);
  } catch (const std::bad_alloc&) {
    ended(Run::End::out_of_memory, "4 GB");
  } catch (const std::exception& error) {
    ended(Run::End::threw, error.what());
  } catch (...) {
    ended(Run::End::threw, name_of_thrown() + ", which is no std::exception");
  }
  return run;
}

Attempts attempts_later(const Function& function, const std::vector<Probe>& probes, const Run& run) {
  Attempts later;
  if (run.end != Run::End::threw && run.end != Run::End::wrong_shape) return later;
  for (std::size_t p = run.outputs.size() + 1; p < probes.size(); ++p) {
    const Run one = run_until_end(function, {probes[p]});
    later.push_back(one.end == Run::End::finished ? Attempt{one.outputs[0]} : Attempt{{}, one.detail});
  }
  return later;
}

Run run_here(const Function& function, const std::vector<Probe>& probes) {
  Run run = run_until_end(function, probes);
  run.later = attempts_later(function, probes, run);
  return run;
}

}  // namespace gradus::exercises
