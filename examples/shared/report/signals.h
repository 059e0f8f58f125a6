// Signals that stop a program, at once or when its work is saved: Ctrl-C, SIGTERM, and SIGHUP unless under nohup.
#pragma once

#include <string>

namespace gradus::examples {

// From now on one of them ends the program at once, with this text on the standard error and 128 + the signal.
void when_stopped_say(const std::string& text);

// From now on the first of them only says this text and sets a flag, so that a run can save its work; a second one ends the
// program at once.
void catch_interrupts(const std::string& text);
bool interrupted();
int interrupted_status();  // 128 + the signal that came

void ignore_interrupts();  // for the moment in which all is written
void obey_interrupts();    // from now on one of them ends the program at once, without a word

}  // namespace gradus::examples
