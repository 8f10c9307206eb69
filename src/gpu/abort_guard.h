// wgpu aborts the process on some errors (a device lost between a check and a submission, for one). On the guarded
// thread an abort parks the thread instead: the rest of the process goes on, without the GPU. Other threads keep the
// default behaviour.
#pragma once

#include <string>

namespace imago::gpu {

void guard_this_thread();         // once, by the executor thread
void wait_for_abort();            // returns when the guarded thread has aborted
void entering(const char* what);  // a literal; where the abort came from, for the reason
std::string aborted_in();

}  // namespace imago::gpu
