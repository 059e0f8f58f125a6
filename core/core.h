// All of core: tensors, the tape, ops.
#pragma once

#include "core/autograd/engine.h"
#include "core/autograd/grad_mode.h"
#include "core/autograd/gradcheck.h"
#include "core/autograd/record.h"
#include "core/inspect/inspect.h"
#include "core/kernels/parallel.h"
#include "core/kernels/random.h"
#include "core/ops/ops.h"
#include "core/tensor/tensor.h"
