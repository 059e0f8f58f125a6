// All of nn: modules, layers, models, losses.
#pragma once

#include "nn/activation/softmax.h"
#include "nn/attention/attention.h"
#include "nn/attention/multi_head.h"
#include "nn/block/block.h"
#include "nn/block/placement.h"
#include "nn/dropout.h"
#include "nn/embedding.h"
#include "nn/feed_forward/feed_forwards.h"
#include "nn/init.h"
#include "nn/linear.h"
#include "nn/loss/cross_entropy.h"
#include "nn/model/language_model.h"
#include "nn/module.h"
#include "nn/norm/norms.h"
#include "nn/norm/rms_norm.h"
#include "nn/position/rope.h"
