#include "optim/optimize_kernel.h"

#include <vector>

#include "core/kernels/rows.h"

namespace gradus::kernels {

void sgd(Tensor& parameter, const Tensor& grad, double lr, double l2) {
  dispatch_real("sgd", parameter.dtype(), [&]<typename T>() {
    T* p = parameter.mutable_data<T>();
    const T* g = grad.data<T>();
    const T rate = static_cast<T>(lr), pull = static_cast<T>(l2);
    parallel_for(parameter.numel(), kGrain, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) p[i] -= rate * (g[i] + pull * p[i]);
    });
  });
}

void momentum(Tensor& parameter, const Tensor& grad, Tensor& velocity, const MomentumStep& step) {
  dispatch_real("momentum", parameter.dtype(), [&]<typename T>() {
    T *p = parameter.mutable_data<T>(), *u = velocity.mutable_data<T>();
    const T* g = grad.data<T>();
    const T rate = static_cast<T>(step.lr), pull = static_cast<T>(step.l2), keep = static_cast<T>(step.keep);
    const T mu = static_cast<T>(step.momentum);
    const T now = step.nesterov ? T(1) : T(0), past = step.nesterov ? mu : T(1);
    parallel_for(parameter.numel(), kGrain, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T d = g[i] + pull * p[i];
        u[i] = mu * u[i] + keep * d;
        p[i] -= rate * (now * d + past * u[i]);
      }
    });
  });
}

void rmsprop(Tensor& parameter, const Tensor& grad, Tensor& second, const RMSpropStep& step) {
  dispatch_real("rmsprop", parameter.dtype(), [&]<typename T>() {
    T *p = parameter.mutable_data<T>(), *v = second.mutable_data<T>();
    const T* g = grad.data<T>();
    const T rate = static_cast<T>(step.lr), pull = static_cast<T>(step.l2), eps = static_cast<T>(step.eps);
    const T alpha = static_cast<T>(step.alpha);
    parallel_for(parameter.numel(), kGrain, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T d = g[i] + pull * p[i];
        v[i] = alpha * v[i] + (T(1) - alpha) * d * d;
        p[i] -= rate * d / (std::sqrt(v[i]) + eps);
      }
    });
  });
}

void adagrad(Tensor& parameter, const Tensor& grad, Tensor& squares, const AdagradStep& step) {
  dispatch_real("adagrad", parameter.dtype(), [&]<typename T>() {
    T *p = parameter.mutable_data<T>(), *s = squares.mutable_data<T>();
    const T* g = grad.data<T>();
    const T rate = static_cast<T>(step.lr), pull = static_cast<T>(step.l2), eps = static_cast<T>(step.eps);
    parallel_for(parameter.numel(), kGrain, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T d = g[i] + pull * p[i];
        s[i] += d * d;
        p[i] -= rate * d / (std::sqrt(s[i]) + eps);
      }
    });
  });
}

void adam(Tensor& parameter, const Tensor& grad, Tensor& first, Tensor& second, const AdamStep& step) {
  dispatch_real("adam", parameter.dtype(), [&]<typename T>() {
    T *p = parameter.mutable_data<T>(), *m = first.mutable_data<T>(), *v = second.mutable_data<T>();
    const T* g = grad.data<T>();
    const T beta1 = static_cast<T>(step.beta1), beta2 = static_cast<T>(step.beta2), eps = static_cast<T>(step.eps);
    const T keep = static_cast<T>(1 - step.lr * step.decay), pull = static_cast<T>(step.l2);
    const T rate = static_cast<T>(step.lr / step.correction1);
    const T root_correction = static_cast<T>(1 / std::sqrt(step.correction2));
    parallel_for(parameter.numel(), kGrain, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T d = g[i] + pull * p[i];
        m[i] = beta1 * m[i] + (T(1) - beta1) * d;
        v[i] = beta2 * v[i] + (T(1) - beta2) * d * d;
        p[i] = p[i] * keep - rate * m[i] / (std::sqrt(v[i]) * root_correction + eps);
      }
    });
  });
}

void lion(Tensor& parameter, const Tensor& grad, Tensor& first, const LionStep& step) {
  dispatch_real("lion", parameter.dtype(), [&]<typename T>() {
    T *p = parameter.mutable_data<T>(), *m = first.mutable_data<T>();
    const T* g = grad.data<T>();
    const T beta1 = static_cast<T>(step.beta1), beta2 = static_cast<T>(step.beta2), rate = static_cast<T>(step.lr);
    const T keep = static_cast<T>(1 - step.lr * step.decay);
    parallel_for(parameter.numel(), kGrain, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T c = beta1 * m[i] + (T(1) - beta1) * g[i];
        const T sign = c > 0 ? T(1) : c < 0 ? T(-1) : c;  // NaN stays
        m[i] = beta2 * m[i] + (T(1) - beta2) * g[i];
        p[i] = p[i] * keep - rate * sign;
      }
    });
  });
}

void moving_average(Tensor& average, const Tensor& x, double beta) {
  dispatch_real("moving_average", average.dtype(), [&]<typename T>() {
    T* a = average.mutable_data<T>();
    const T *values = x.data<T>(), share = static_cast<T>(beta);
    parallel_for(average.numel(), kGrain, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) a[i] = share * a[i] + (T(1) - share) * values[i];
    });
  });
}

// Blocks of a fixed size, each summed in its own dtype and their sums in f64.
double sum_of_squares(const Tensor& x) {
  constexpr int64_t block = 4096;
  const int64_t blocks = (x.numel() + block - 1) / block;
  std::vector<double> parts(static_cast<std::size_t>(blocks));
  dispatch_real("sum_of_squares", x.dtype(), [&]<typename T>() {
    const T* values = x.data<T>();
    double* part = parts.data();
    parallel_for(blocks, 8, [=, n = x.numel()](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        const T* start = values + b * block;
        part[b] = static_cast<double>(row_dot(start, start, std::min(block, n - b * block)));
      }
    });
  });
  return row_sum(parts.data(), blocks);
}

void scale(Tensor& x, double factor) {
  dispatch_real("scale", x.dtype(), [&]<typename T>() {
    T* values = x.mutable_data<T>();
    parallel_for(x.numel(), kGrain, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) values[i] *= static_cast<T>(factor);
    });
  });
}

void clamp_in_place(Tensor& x, double low, double high) {
  dispatch_real("clamp", x.dtype(), [&]<typename T>() {
    T* values = x.mutable_data<T>();
    const T least = static_cast<T>(low), most = static_cast<T>(high);
    parallel_for(x.numel(), kGrain, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T raised = values[i] < least ? least : values[i];
        values[i] = raised > most ? most : raised;
      }
    });
  });
}

}  // namespace gradus::kernels
