/// What bits may depend on besides the scene: the program, and what it stands on.
///
/// The same on two machines: the same bits. BLAS chooses its kernels by the processor (or as OPENBLAS_CORETYPE says),
/// and each adds up in an order of its own, which shows in the last digits of sparse factorizations; the C library's
/// functions differ from version to version.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace brio {

/// Names and values: brio, compiler, march, libc, blas.
using Platform = std::vector<std::pair<std::string, std::string>>;

/// The one that this program runs on.
const Platform& platform();

/// "blas was OpenBLAS 0.3.21 Haswell and is OpenBLAS 0.3.21 Zen"; empty where nothing differs.
std::string differences(const Platform& earlier, const Platform& now);

}  // namespace brio
