// What a program that leaves a page and numbers behind does besides its subject: it speaks, it tells how it was called,
// and it writes all of its files or none.
#pragma once

#include <exception>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace gradus::examples {

// On the standard output, at once, so that who waits sees it. IoError if it cannot be written.
void say(const std::string& text);
// On the standard error; whether it can be written or not.
void note(const std::string& text);
// The same, "program: text"; gives the status back.
int complain(const std::string& program, const std::string& text, int status);
// The same with what the error says; one of the file system's is told as IoErrors are, "path: reason".
int complain(const std::string& program, const std::exception& error, int status);

// From now on no file of the program takes the place of a standard stream that is closed, and a write that fails is an error
// with its reason and ends the program no more.
void keep_standard_streams();

// "./examples/run NAME --seed 3", as it could be typed again.
std::string command_of(const std::string& name, int argc, char** argv);

// The model's name as the system tells it, and the threads in use: "Intel(R) Xeon(R) … , 2 threads".
std::string machine_text();

// A file by which a program knows its directory again: a JSON object that has all of the keys, or any file if there are none.
struct Landmark {
  std::string file;
  std::vector<std::string> keys = {};
};

// Makes the directory if there is none, and removes what a killed program left half-written. IoError, naming --out, for one
// that cannot be written into, and for one with a file of these names but not with all that it is known by: it is somebody
// else's.
void open_directory(const std::filesystem::path& directory, const std::vector<std::string>& files, const std::vector<Landmark>& known_by);
// Each file's path and text: all are written before the first takes its name, in this order; while they do, the program is not
// stopped. First comes what the directory is known by. From then on a signal that stops the program ends it without a word.
void write_together(const std::vector<std::pair<std::filesystem::path, std::string>>& files);

}  // namespace gradus::examples
