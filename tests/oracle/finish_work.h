// What the cases of finish and of whole pictures share.
#pragma once

#include "develop/settings/settings.h"
#include "develop/stages/finish/finish.h"
#include "io/picture_writer.h"
#include "oracle/case.h"

namespace imago::oracle {

// finish, the settings tools that are not at their defaults, and the finish tools that run.
std::vector<std::string> covered_by(const develop::Settings& settings, const develop::FinishPlan& plan);

Tolerance finish_tolerance(io::SampleType samples, bool has_curve);

}  // namespace imago::oracle
