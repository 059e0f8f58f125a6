// The tutor in a terminal.
#pragma once

namespace gradus::exercises {

// Until q, or a signal: the program's status. ValueError if another tutor has the folder.
int watch(bool coloured);

}  // namespace gradus::exercises
