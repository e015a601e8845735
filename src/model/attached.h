/// The springs behind the index of an attachment.
#pragma once

#include "brio/model.h"
#include "model/energies/springs.h"

namespace brio {

/// Refuses an index that is none of the model's attachments.
AttachmentBatch<HookeanLaw>& attached_springs(Model& model, int attachment);

}  // namespace brio
