// All of core: tensors, the tape, ops, files, and the headers of gradus::inspect; link it to use them. (core/tensor/xtensor.h is
// apart: it is slow to compile.)
#pragma once

#include "core/autograd/engine.h"
#include "core/autograd/vjp.h"
#include "core/composites/composites.h"
#include "core/inspect/anomaly.h"
#include "core/inspect/compare.h"
#include "core/inspect/gradcheck.h"
#include "core/inspect/inspect.h"
#include "core/inspect/severed.h"
#include "core/io/npy.h"
#include "core/io/print.h"
#include "core/io/safetensors.h"
#include "core/machine/threads.h"
#include "core/tape/grad_mode.h"
#include "core/tape/record.h"
#include "core/tensor/random.h"
#include "core/tensor/tensor.h"
