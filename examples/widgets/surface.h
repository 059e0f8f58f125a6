// Surfaces over the plane that optimizers walk down: f(x, y) = floor(x) + steepness (y - valley(x))², a valley that may bend.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/tensor/tensor.h"
#include "examples/shared/widgets/seen.h"

namespace gradus::widgets {

using Point = std::pair<double, double>;

struct Frame { double left, right, low, high; };

struct Surface {
  std::string name;
  Tensor (*floor)(const Tensor& x);   // of any shape; its least value is 0
  Tensor (*valley)(const Tensor& x);  // nullptr: 0 everywhere
  double steepness;
  Point start, minimum;
  Frame frame;                 // what is drawn
  std::vector<double> levels;  // of the lines of the same f
  double noise = 0;            // standard deviation of what is added to each number of a gradient

  Tensor operator()(const Tensor& x, const Tensor& y) const;  // f, of x and y of the same shape
  double across(Point p) const;                               // y - valley(x)
};

// "bowl" and "noisy bowl", κ times as curved across as along; "banana" (Rosenbrock, 1960); "saddle", of curvature κ across.
std::vector<std::string> surface_names();
Surface surface(const std::string& name, double kappa);

// The curvatures at p, the smaller first: the eigenvalues of the Hessian, by the tape.
std::pair<double, double> curvatures(const Surface& f, Point p);

// The lines of the same f, each closed: {"f": level, "x": […], "upper": […], "lower": […]}, its y there and back.
std::vector<Seen> level_lines(const Surface& f);

}  // namespace gradus::widgets
