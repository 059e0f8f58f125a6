// All of core: tensors, the tape, ops, files. (core/tensor/xtensor.h is apart: it is slow to compile.)
#pragma once

#include "core/autograd/engine.h"
#include "core/autograd/grad_mode.h"
#include "core/autograd/gradcheck.h"
#include "core/autograd/record.h"
#include "core/inspect/inspect.h"
#include "core/io/npy.h"
#include "core/io/safetensors.h"
#include "core/kernels/parallel.h"
#include "core/kernels/random.h"
#include "core/ops/ops.h"
#include "core/tensor/tensor.h"
