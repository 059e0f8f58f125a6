// A small language model of an LSTM, its step and what comes back through it a student's.
#pragma once

#include "examples/exercises/grader/function.h"
#include "examples/exercises/in_place/training.h"

namespace gradus::exercises {

// `cell` are the functions of the exercise lstm-step: the step, and its gradient.
Training train_lstm_model(const Functions& cell, int steps, const Tell& tell = {});

}  // namespace gradus::exercises
