/// What every part of brio shares: vectors, errors that say what to change, and the number of threads.
#pragma once

#include <Eigen/Core>
#include <stdexcept>
#include <string>

namespace brio {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

/// Where bad input stands, what it is, what was allowed and what to do about it. Empty or negative members are left
/// out.
struct Complaint {
  std::string file{};     ///< "scenes/x.toml"
  long line = 0;          ///< counted from 1; 0 = not a text file or not known
  long byte = -1;         ///< offset in a binary file; -1 = not a binary file
  std::string key{};      ///< "body[0].material.nu"
  std::string value{};    ///< as the user wrote it
  std::string problem{};  ///< "must be in (-1, 0.5)"
  std::string advice{};   ///< "did you mean 'nu'?"

  /// "scenes/x.toml:14: body[0].material.nu = 0.7: must be in (-1, 0.5); <advice>"
  std::string text() const;
};

/// Bad input, thrown at the boundary in every build. Nothing has been changed when it is thrown.
class InputError : public std::runtime_error {
 public:
  explicit InputError(Complaint complaint);
  const Complaint& complaint() const { return complaint_; }

 private:
  Complaint complaint_;
};

/// Number of threads that simulations use from now on; 0 = all cores. Results do not depend on it.
void set_threads(int count);
int threads();

}  // namespace brio
