// Presets: the ablations that the notes ask for, each as options that could be given by hand.
#pragma once

#include <string>
#include <vector>

namespace gradus::examples {

struct Preset {
  std::string name;
  std::vector<std::string> few, all;  // variants by default, and with --full; the first is the baseline
  std::string sizes, full_sizes;      // its other options; "": those of the short version, too
  std::string option = {};            // whose list it is; "": that of the preset's name

  std::string flag() const { return "--" + (option.empty() ? name : option); }
};

const std::vector<Preset>& presets();
// ValueError with the nearest name for an unknown one; "" has no options of its own.
std::vector<std::string> options_of_preset(const std::string& name, bool full);

}  // namespace gradus::examples
