#include "examples/ch03_feed_forward/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "examples/shared/report/words.h"

namespace gradus::examples {
namespace {

std::string text_at(double x, double y, const std::string& text, const std::string& colour = "ink", const char* anchor = "middle") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"13\" fill=\"var(--{})\">{}</text>", x, y, anchor,
                     colour, escaped(text));
}

// --- areas ---------------------------------------------------------------------------------------------------------------

constexpr double kDrawing = 310, kMiddle = kDrawing / 2, kRow = 62;  // px: width, its middle, from a row to the next

// A vector, centred: a bar as long as it has numbers.
std::string bar(double x, double y, double length) {
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"7\" fill=\"var(--value)\"/>", x - length / 2, y, length);
}

std::string arrow(double x0, double y0, double x1, double y1) {
  const double length = std::hypot(x1 - x0, y1 - y0), dx = (x1 - x0) / length, dy = (y1 - y0) / length;
  return fmt::format(
      "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}\" fill=\"none\" "
      "stroke=\"var(--constant)\"/>",
      x0, y0, x1, y1, x1 - 6 * dx - 4 * dy, y1 - 6 * dy + 4 * dx, x1, y1, x1 - 6 * dx + 4 * dy, y1 - 6 * dy - 4 * dx);
}

struct Matrix {
  std::string name;
  double wide, high;  // px
};

std::string rectangle(const Matrix& m, double x, double y) {
  return fmt::format(
             "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"var(--parameter)\" "
             "fill-opacity=\".14\" stroke=\"var(--parameter)\"/>",
             x - m.wide / 2, y, m.wide, m.high) +
         text_at(x, y + m.high / 2 + 5, m.name, "parameter");
}

// The matrices in the order w1, w2, w3, all drawn lying: the hidden width across.
std::vector<Matrix> matrices_of(nn::Layer& layer, double unit) {
  std::vector<Matrix> found;
  for (const NamedTensor& p : layer.named_parameters()) {
    if (p.tensor.rank() != 2) continue;
    const int64_t wide = std::max(p.tensor.size(0), p.tensor.size(1)), high = std::min(p.tensor.size(0), p.tensor.size(1));
    const char* name = p.name == "w1.weight" ? "W₁" : p.name == "w2.weight" ? "W₂" : "W₃";
    found.push_back({fmt::format("{} {} × {}", name, high, wide), unit * static_cast<double>(wide), unit * static_cast<double>(high)});
  }
  return found;
}

}  // namespace

Panel areas(nn::Layer& layer, const std::string& title, const std::string& activation, double unit) {
  const std::vector<Matrix> m = matrices_of(layer, unit);
  const bool gated = m.size() == 3;
  const double width = m[0].wide, d = m[0].high, side = gated ? width / 2 + 12 : 0;  // the gate left, the value right
  const double top = 24, bend = top + 26 + d, hidden = bend + kRow - 8, down = hidden + 26;
  std::string out = bar(kMiddle, top - 10, d) + text_at(kMiddle + d / 2 + 12, top - 2, "x", "value", "start");
  for (const auto& [matrix, x] : {std::pair{0, kMiddle - side}, {2, kMiddle + side}}) {
    if (matrix == 2 && !gated) continue;
    out += arrow(kMiddle + (x - kMiddle) / 8, top, x, top + 22) + rectangle(m[static_cast<std::size_t>(matrix)], x, top + 24);
    out += arrow(x, bend, kMiddle + (gated ? (x < kMiddle ? -11 : 11) : 0), hidden - (gated ? 20 : 4));
  }
  if (gated) {
    out += text_at(kMiddle - side + 4, bend + 24, activation, "ink", "end") + text_at(kMiddle, hidden - 13, "⊙");
  } else {
    out += text_at(kMiddle + 10, bend + 28, activation, "ink", "start");
  }
  out += bar(kMiddle, hidden, width) + arrow(kMiddle, hidden + 8, kMiddle, down - 2) + rectangle(m[1], kMiddle, down);
  out += arrow(kMiddle, down + d + 2, kMiddle, down + d + 20) + bar(kMiddle, down + d + 22, d) +
         text_at(kMiddle + d / 2 + 12, down + d + 30, "y", "value", "start");
  const double parameters = static_cast<double>(layer.parameter_count());
  return {title, fmt::format("{} matrices, {} weights", m.size(), shown(parameters)),
          fmt::format("<svg viewBox=\"0 0 {} {:.0f}\" style=\"max-width:{}px\" aria-hidden=\"true\">{}</svg>", kDrawing, down + d + 36,
                      kDrawing, out)};
}

// --- losses --------------------------------------------------------------------------------------------------------------

namespace {

class Columns {
 public:
  Columns(const std::vector<Contestant>& all, double width)
      : all_(all), step_((width - kLeft - kRight) / static_cast<double>(all.size())), width_(width) {
    for (const Contestant& one : all) {
      for (const double loss : one.losses) low_ = std::min(low_, loss), high_ = std::max(high_, loss);
    }
    const double margin = 0.08 * (high_ - low_) + 1e-3;
    low_ -= margin;
    high_ += margin;
  }

  std::string svg(const char* look, const std::string& alt) {
    axis();
    band();
    seeds();
    names();
    return fmt::format("<svg class=\"{}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{}</svg>", look, width_, kBottom + 44,
                       escaped(alt), out_);
  }

 private:
  static constexpr double kLeft = 44, kRight = 10, kTop = 50, kBottom = 300;

  double at(std::size_t i) const { return kLeft + (static_cast<double>(i) + 0.5) * step_; }
  double height(double loss) const { return kBottom - (kBottom - kTop) * (loss - low_) / (high_ - low_); }

  void axis() {
    out_ += text_at(0, 13, "loss on unseen text (nats a byte)", "ink", "start");
    double tick = 0.01;
    for (const double wider : {0.02, 0.05, 0.1, 0.2, 0.5, 1.0}) tick = (high_ - low_) / tick > 6 ? wider : tick;
    for (double y = std::ceil(low_ / tick) * tick; y < high_; y += tick) {
      out_ += fmt::format("<path d=\"M{} {:.1f}H{}\" stroke=\"var(--line)\"/>", kLeft, height(y), width_) +
              text_at(kLeft - 8, height(y) + 4, fixed(y, 2), "soft", "end");
    }
    out_ += fmt::format("<path d=\"M{} {}V{}H{}\" stroke=\"var(--constant)\" fill=\"none\"/>", kLeft, kTop - 24, kBottom, width_);
  }

  void band() {
    const auto [least, greatest] = std::minmax_element(all_[0].losses.begin(), all_[0].losses.end());
    out_ += fmt::format("<rect x=\"{}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"var(--hidden)\" opacity=\".6\"/>", kLeft,
                        height(*greatest), width_ - kLeft, height(*least) - height(*greatest));
    out_ += text_at(width_ - 4, height(*greatest) + 15, fmt::format("spread of {}", all_[0].name), "soft", "end");
  }

  void seeds() {
    for (std::size_t seed = 0; seed < all_[0].losses.size(); ++seed) {
      std::string points;
      for (std::size_t i = 0; i < all_.size(); ++i) points += fmt::format("{:.1f},{:.1f} ", at(i), height(all_[i].losses[seed]));
      out_ += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"var(--constant)\" stroke-width=\".8\"/>", points);
    }
    for (std::size_t i = 0; i < all_.size(); ++i) {
      for (const double loss : all_[i].losses) {
        out_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"var(--{})\"/>", at(i), height(loss), colour(all_[i]));
      }
    }
  }

  // In two rows by turns, as the narrow picture has no room for one; above each group, what it has in common.
  void names() {
    for (std::size_t i = 0, end = 0; i < all_.size(); i = end) {
      for (end = i + 1; end < all_.size() && colour(all_[end]) == colour(all_[i]);) ++end;
      const char* group = all_[i].wrong ? "mistake" : all_[i].layer.value.traits.gated ? "gate" : "no gate";
      out_ += text_at((at(i) + at(end - 1)) / 2, kTop - 12, group, colour(all_[i]));
    }
    for (std::size_t i = 0; i < all_.size(); ++i) {
      out_ += text_at(at(i), kBottom + (i % 2 == 0 ? 18 : 36), all_[i].name, colour(all_[i]));
    }
  }

  static std::string colour(const Contestant& one) { return one.wrong ? "wrong" : one.layer.value.traits.gated ? "f1" : "f2"; }

  const std::vector<Contestant>& all_;
  double step_, width_, low_ = 1e9, high_ = -1e9;
  std::string out_;
};

}  // namespace

std::string losses_picture(const std::vector<Contestant>& all) {
  std::string alt = "Dot plot. x: feed-forward layers; y: loss on unseen text in nats a byte, means over seeds: ";
  for (const Contestant& one : all) alt += fmt::format("{} {:.3f}; ", one.name, one.mean());
  alt += fmt::format("the grey band is the spread of {}.", all[0].name);
  return Columns(all, 720).svg("wide", alt) + Columns(all, 358).svg("narrow", alt);
}

}  // namespace gradus::examples
