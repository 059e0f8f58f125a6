// What a program that leaves a page and numbers behind does besides its subject: it speaks, it can be stopped, it tells how it
// was called, and it writes all of its files or none.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace gradus::examples {

// On the standard output, at once, so that who waits sees it. IoError if it cannot be written.
void say(const std::string& text);
// On the standard error, "program: text"; gives the status back.
int complain(const std::string& program, const std::string& text, int status);

// From now on no file of the program takes the place of a standard stream that is closed, and a write that fails is an error
// with its reason and ends the program no more.
void keep_standard_streams();
// A program that is stopped (Ctrl-C, SIGTERM, SIGHUP unless under nohup) says this and ends with 128 + the signal. Keeps the
// standard streams, too.
void when_stopped_say(const std::string& text);

// "./examples/run NAME --seed 3", as it could be typed again.
std::string command_of(const std::string& name, int argc, char** argv);

// The model's name as the system tells it, and the threads in use: "Intel(R) Xeon(R) … , 2 threads".
std::string machine_text();

// Makes the directory if there is none, and removes what a killed program left half-written. IoError, naming --out, for one
// that cannot be written into.
void open_directory(const std::filesystem::path& directory);
// Each file's path and text: all are written before the first takes its name, and from then on the program is not stopped.
void write_together(const std::vector<std::pair<std::filesystem::path, std::string>>& files);

}  // namespace gradus::examples
