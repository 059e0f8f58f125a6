// All of optim: optimizers, schedules, clipping.
#pragma once

#include "optim/adamw.h"
#include "optim/clip.h"
#include "optim/optimizers.h"
#include "optim/schedule.h"
