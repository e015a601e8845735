/// Attachments that let go.
#pragma once

#include <memory>

#include "model/interaction.h"

namespace brio {

/// From `time` [s] on the springs of the attachment, an energy of the model, hold no more. The energy that is left in
/// them goes with them: it is booked as work of the user, who takes his hands off.
std::unique_ptr<Interaction> release_attachment(int attachment, double time);

}  // namespace brio
