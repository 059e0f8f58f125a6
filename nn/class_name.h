// The name of a class, for messages: "Linear" of gradus::nn::Linear.
#pragma once

#include <string>
#include <typeinfo>

namespace gradus::nn {

std::string name_of_class(const std::type_info& type);

}  // namespace gradus::nn
