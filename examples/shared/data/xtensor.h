// xtensor for the chapters' data and statistics: arrays, views, random numbers, histograms, csv and npy files.
#pragma once

#include "core/tensor/xtensor.h"

#if __has_include(<xtensor/core/xmath.hpp>)  // xtensor 0.26 and later
#include <xtensor/containers/xtensor.hpp>
#include <xtensor/core/xmath.hpp>
#include <xtensor/generators/xbuilder.hpp>
#include <xtensor/generators/xrandom.hpp>
#include <xtensor/io/xcsv.hpp>
#include <xtensor/io/xnpy.hpp>
#include <xtensor/misc/xhistogram.hpp>
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xbuilder.hpp>
#include <xtensor/xcsv.hpp>
#include <xtensor/xhistogram.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnpy.hpp>
#include <xtensor/xrandom.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>
#endif
