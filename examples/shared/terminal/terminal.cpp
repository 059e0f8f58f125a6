#include "examples/shared/terminal/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "core/check.h"

namespace gradus::examples {
namespace {

termios cooked;             // as the terminal was
int signals[2] = {-1, -1};  // a pipe: what arrives during poll() is not lost
constexpr int kHandled[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};
constexpr int kEscapeWait = 50;  // ms after which a lone ESC is the key of that name

void note_signal(int signal) {
  const int before = errno;
  const auto byte = static_cast<unsigned char>(signal);
  [[maybe_unused]] const auto written = write(signals[1], &byte, 1);
  errno = before;
}

bool readable(int file) {
  pollfd input{file, POLLIN, 0};
  return poll(&input, 1, 0) == 1;
}

// The rest is left out if a signal comes meanwhile: a terminal that does not take it must not keep the program.
void write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno != EINTR && errno != EAGAIN) return;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    if (!text.empty() && readable(signals[0])) return;
  }
}

bool ends_program(int signal) { return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT; }

// A signal that ends the program also ends a write that waits.
void handle(void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  for (const int signal : kHandled) {
    action.sa_flags = ends_program(signal) ? 0 : SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

bool Terminal::available() {
  const char* name = std::getenv("TERM");
  const std::string_view terminal = name != nullptr ? name : "";
  return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0 && !terminal.empty() && terminal != "dumb";
}

Terminal::Terminal() {
  check<IoError>(tcgetattr(STDIN_FILENO, &cooked) == 0 && pipe(signals) == 0, "there is no terminal to draw on");
  for (const int end : signals) {
    fcntl(end, F_SETFL, O_NONBLOCK);
    fcntl(end, F_SETFD, FD_CLOEXEC);
  }
  handle(note_signal);
  take();
}

Terminal::~Terminal() {
  handle(SIG_DFL);  // a second signal ends the program at once
  give_back();
  for (int& end : signals) end = (close(end), -1);
}

// Keys at once and unseen; Ctrl-C and Ctrl-Z stay signals.
void Terminal::take() {
  termios raw = cooked;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_iflag &= ~static_cast<tcflag_t>(IXON);
  raw.c_cc[VMIN] = 0;
  raw.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
  write_all("\x1b[?1049h\x1b[?25l\x1b[2J");  // the other screen, no cursor, empty
}

void Terminal::give_back() {
  pollfd out{STDOUT_FILENO, POLLOUT, 0};
  const bool takes_text = poll(&out, 1, 200) == 1;
  if (takes_text) write_all("\x1b[0m\x1b[?25h\x1b[?1049l");
  tcsetattr(STDIN_FILENO, takes_text ? TCSADRAIN : TCSANOW, &cooked);
}

void Terminal::suspend() {
  give_back();
  signal(SIGTSTP, SIG_DFL);
  raise(SIGTSTP);  // here the program stands still
  handle(note_signal);
  tcgetattr(STDIN_FILENO, &cooked);
  take();
}

Terminal::Size Terminal::size() const {
  winsize window{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0 || window.ws_row == 0) return {80, 24};
  return {window.ws_col, window.ws_row};
}

void Terminal::show(const std::vector<std::string>& lines) {
  std::string frame = "\x1b[H";
  for (std::size_t i = 0; i < lines.size(); ++i) frame += (i > 0 ? "\r\n" : "") + lines[i] + "\x1b[K";
  write_all(frame + "\x1b[J");
}

bool Terminal::wait(int milliseconds) {
  pollfd sources[] = {{STDIN_FILENO, POLLIN, 0}, {signals[0], POLLIN, 0}};
  if (poll(sources, 2, milliseconds) <= 0) return false;
  unsigned char signal = 0;
  while (read(signals[0], &signal, 1) == 1) {
    if (signal == SIGTSTP) {
      suspend();
    } else if (ends_program(signal)) {
      ended_by_ = signal;
    }
  }
  return sources[0].revents != 0;
}

std::vector<Key> Terminal::keys(int milliseconds) {
  const bool input = wait(bytes_.empty() ? milliseconds : kEscapeWait);
  if (ended_by_ != 0) return {};
  if (input) {
    char buffer[256];
    const ssize_t count = read(STDIN_FILENO, buffer, sizeof buffer);
    const bool failed = count < 0 && errno != EINTR && errno != EAGAIN;
    if (failed || (count == 0 && readable(STDIN_FILENO))) ended_by_ = SIGHUP;  // the terminal is gone
    if (count > 0) bytes_.append(buffer, static_cast<std::size_t>(count));
  }
  return take_keys(bytes_, !input);
}

}  // namespace gradus::examples
