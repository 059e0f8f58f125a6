// All exercises and mistakes as JSON, for the book's page of them.
#pragma once

#include <string>

namespace gradus::exercises {

std::string registry();

}  // namespace gradus::exercises
