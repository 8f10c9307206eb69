// Data-parallel loops over one process-wide set of threads.
#pragma once

#include <functional>

#include "base/rect.h"

namespace imago {

// Number of threads that parallel_for uses: IMAGO_THREADS, else the hardware's.
int thread_count();
void set_thread_count(int count);  // tests and --threads; 1 runs everything on the caller

// Calls body for consecutive chunks of [0, count), each `chunk` long but the last. Chunk starts are multiples of
// `chunk` and never depend on the number of threads, so a body that is a function of its chunk gives the same bits on
// any machine. The caller works too; nested calls run on the calling thread. body must not throw.
void parallel_for(int count, int chunk, const std::function<void(RowRange)>& body);

}  // namespace imago
