// All of optim: optimizers, schedules, clipping, averaging.
#pragma once

#include "optim/adafactor.h"
#include "optim/adagrad.h"
#include "optim/adam.h"
#include "optim/adamw.h"
#include "optim/clip.h"
#include "optim/ema.h"
#include "optim/lion.h"
#include "optim/momentum.h"
#include "optim/muon.h"
#include "optim/nesterov.h"
#include "optim/optimizer_table.h"
#include "optim/parameter_groups.h"
#include "optim/rmsprop.h"
#include "optim/schedule.h"
#include "optim/sgd.h"
