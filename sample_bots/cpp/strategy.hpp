#pragma once

#include <cstdint>

#include "arena/v1/play.pb.h"

// The answer to a question. It depends on nothing else, so a broken stream costs it nothing.
arena::v1::Choose choose(const arena::v1::Decision& decision, std::int64_t seed);
