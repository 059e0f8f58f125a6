// All of core: tensors, the tape, ops and files. (core/tensor/xtensor.h is apart: it is slow to compile.)
#pragma once

#include "core/autograd/engine.h"
#include "core/autograd/vjp.h"
#include "core/composites/composites.h"
#include "core/io/npy.h"
#include "core/io/print.h"
#include "core/io/safetensors.h"
#include "core/kernels/bf16.h"
#include "core/machine/threads.h"
#include "core/tape/grad_mode.h"
#include "core/tape/record.h"
#include "core/tensor/random.h"
#include "core/tensor/tensor.h"
