// All of optim: optimizers, schedules, clipping, averaging.
#pragma once

#include "optim/clip.h"
#include "optim/ema.h"
#include "optim/optimizer_table.h"
#include "optim/parameter_groups.h"
#include "optim/plateau.h"
#include "optim/schedule.h"
