// All of core: tensors, the tape, ops, files. (core/tensor/xtensor.h is apart: it is slow to compile.)
#pragma once

#include "core/autograd/engine.h"
#include "core/autograd/gradcheck.h"
#include "core/inspect/inspect.h"
#include "core/inspect/severed.h"
#include "core/io/npy.h"
#include "core/io/safetensors.h"
#include "core/ops/ops.h"
#include "core/tape/grad_mode.h"
#include "core/tape/record.h"
#include "core/tensor/random.h"
#include "core/tensor/tensor.h"
#include "core/tensor/threads.h"
