/// Memory that is asked for knowingly: whoever is about to fill much of it says so first.
#pragma once

#include <string>

#include "brio/core.h"

namespace brio {

/// How much memory may be asked for [bytes]; 0 = four fifths of what the machine or the process's container has. What
/// would take more is refused with figures: InputError where a model is made, a failed step where it is run.
void set_memory_limit(double bytes);
double memory_limit();

/// To be called before much memory is filled: throws InputError with both figures when `bytes` are more than
/// memory_limit(). `what` has the place and the advice; its problem is what the memory is for: "a million copies".
void claim_memory(double bytes, Complaint what);

/// What was last claimed, for a message when memory has run out all the same; empty: nothing.
std::string last_memory_claim();

/// "1.2 GB"
std::string size_text(double bytes);

}  // namespace brio
