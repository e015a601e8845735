/// N numbers that are computed with as one: element kernels are written once for a number type T and run with T =
/// double (tests), four doubles or eight floats. GCC's vector extensions carry them to any architecture.
///
/// Multiply-adds are fused only where `fma` is written, so a formula gives the same bits wherever it is inlined.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#if defined(__AVX2__) && defined(__FMA__)
#define BRIO_AVX2 1
#include <immintrin.h>
#endif
/// Kernels are one straight line of arithmetic; a call in the middle would send every register through memory.
#define BRIO_INLINE inline __attribute__((always_inline))

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define BRIO_FMA 1
#endif

namespace brio {

template <class S, int N>
struct Lanes {
  using Scalar = S;
  using Int = std::conditional_t<sizeof(S) == 8, std::int64_t, std::int32_t>;
  static constexpr int width = N;
  // NOLINTNEXTLINE(modernize-use-using): the attribute goes with typedef
  typedef S Raw __attribute__((vector_size(N * sizeof(S))));
  // NOLINTNEXTLINE(modernize-use-using)
  typedef Int Mask __attribute__((vector_size(N * sizeof(S))));  ///< all bits set where true

  Raw raw;

  Lanes() = default;
  Lanes(Raw r) : raw(r) {}                             // NOLINT: lanes and raw vectors are one thing
  Lanes(double s) : raw(static_cast<S>(s) - Raw{}) {}  // NOLINT: a constant serves all lanes

  S operator[](int lane) const { return raw[lane]; }

  friend Lanes operator+(Lanes a, Lanes b) { return a.raw + b.raw; }
  friend Lanes operator-(Lanes a, Lanes b) { return a.raw - b.raw; }
  friend Lanes operator*(Lanes a, Lanes b) { return a.raw * b.raw; }
  friend Lanes operator/(Lanes a, Lanes b) { return a.raw / b.raw; }
  friend Lanes operator-(Lanes a) { return -a.raw; }
  Lanes& operator+=(Lanes b) { return *this = *this + b; }
  Lanes& operator-=(Lanes b) { return *this = *this - b; }
  Lanes& operator*=(Lanes b) { return *this = *this * b; }
  friend Mask operator<(Lanes a, Lanes b) { return a.raw < b.raw; }
  friend Mask operator>(Lanes a, Lanes b) { return a.raw > b.raw; }
  friend Mask operator<=(Lanes a, Lanes b) { return a.raw <= b.raw; }
  friend Mask operator>=(Lanes a, Lanes b) { return a.raw >= b.raw; }
};

using Doubles = Lanes<double, 4>;
using Floats = Lanes<float, 8>;

template <class T>
inline constexpr int lane_count = 1;
template <class S, int N>
inline constexpr int lane_count<Lanes<S, N>> = N;

template <class S, int N>
inline Lanes<S, N> select(typename Lanes<S, N>::Mask condition, Lanes<S, N> yes, Lanes<S, N> no) {
  return condition ? yes.raw : no.raw;
}
inline double select(bool condition, double yes, double no) { return condition ? yes : no; }

/// a b + c, rounded once where the machine can (emulating it elsewhere would cost more than it gains).
template <class S, int N>
inline Lanes<S, N> fma(Lanes<S, N> a, Lanes<S, N> b, Lanes<S, N> c) {
#if defined(BRIO_AVX2)
  if constexpr (std::is_same_v<Lanes<S, N>, Doubles>) {
    return Doubles(reinterpret_cast<Doubles::Raw>(_mm256_fmadd_pd(a.raw, b.raw, c.raw)));
  } else if constexpr (std::is_same_v<Lanes<S, N>, Floats>) {
    return Floats(reinterpret_cast<Floats::Raw>(_mm256_fmadd_ps(a.raw, b.raw, c.raw)));
  }
#endif
#if defined(BRIO_FMA)
  Lanes<S, N> r;
  for (int i = 0; i < N; ++i) r.raw[i] = std::fma(a.raw[i], b.raw[i], c.raw[i]);
  return r;
#else
  return a * b + c;
#endif
}
inline double fma(double a, double b, double c) {
#if defined(BRIO_FMA)
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}

template <class S, int N>
inline Lanes<S, N> sqrt(Lanes<S, N> a) {
#if defined(BRIO_AVX2)
  if constexpr (std::is_same_v<Lanes<S, N>, Doubles>) {
    return Doubles(reinterpret_cast<Doubles::Raw>(_mm256_sqrt_pd(a.raw)));
  } else if constexpr (std::is_same_v<Lanes<S, N>, Floats>) {
    return Floats(reinterpret_cast<Floats::Raw>(_mm256_sqrt_ps(a.raw)));
  }
#endif
  Lanes<S, N> r;
  for (int i = 0; i < N; ++i) r.raw[i] = std::sqrt(a.raw[i]);
  return r;
}
inline double sqrt(double a) { return std::sqrt(a); }

template <class S, int N>
inline Lanes<S, N> abs(Lanes<S, N> a) {
  using L = Lanes<S, N>;
  const typename L::Mask all_but_sign = std::numeric_limits<typename L::Int>::max() - typename L::Mask{};
  return reinterpret_cast<typename L::Raw>(reinterpret_cast<typename L::Mask>(a.raw) & all_but_sign);
}
inline double abs(double a) { return std::fabs(a); }

template <class T>
inline T max(T a, T b) {
  return select(a > b, a, b);
}
template <class T>
inline T min(T a, T b) {
  return select(a < b, a, b);
}

template <class S, int N, class Function>
inline Lanes<S, N> each_lane(Lanes<S, N> a, Function function) {
  Lanes<S, N> r;
  for (int i = 0; i < N; ++i) r.raw[i] = static_cast<S>(function(a.raw[i]));
  return r;
}

/// Natural logarithm of positive normal numbers. Reduced to m in [sqrt(1/2), sqrt(2)), then ln m = 2
/// artanh((m-1)/(m+1)) by a minimax polynomial [the reduction and coefficients of fdlibm's e_log.c]; error below 1 ulp.
template <int N>
inline Lanes<double, N> log_of_positive(Lanes<double, N> a) {
  using L = Lanes<double, N>;
  using Mask = typename L::Mask;
  const Mask bits = reinterpret_cast<Mask>(a.raw);
  // Adding the distance from sqrt(1/2) to 1 in bits before cutting the exponent moves the range from [1,2) to
  // [sqrt(1/2),sqrt(2)).
  const Mask shifted = bits + (0x3ff0000000000000LL - 0x3fe6a09e667f3bcdLL);
  // The exponent becomes a double by writing it into the mantissa of 2^52.
  const Mask exponent = ((shifted >> 52) & 0x7ff) | 0x4330000000000000LL;
  const L k = L(reinterpret_cast<typename L::Raw>(exponent)) - L(0x1p52 + 1023);
  const Mask mantissa = (shifted & 0x000fffffffffffffLL) + 0x3fe6a09e667f3bcdLL;
  const L f = L(reinterpret_cast<typename L::Raw>(mantissa)) - L(1.0);
  const L s = f / (L(2.0) + f);
  const L z = s * s;
  const L w = z * z;
  const L odd =
      w * fma(w, fma(w, L(1.531383769920937332e-01), L(2.222219843214978396e-01)), L(3.999999999940941908e-01));
  const L even =
      z * fma(w, fma(w, fma(w, L(1.479819860511658591e-01), L(1.818357216161805012e-01)), L(2.857142874366239149e-01)),
              L(6.666666666666735130e-01));
  const L half_square = L(0.5) * f * f;
  const L tail = fma(s, half_square + odd + even, k * L(1.90821492927058770002e-10));
  return fma(k, L(6.93147180369123816490e-01), f - (half_square - tail));
}
template <int N>
inline Lanes<float, N> log_of_positive(Lanes<float, N> a) {
  return each_lane(a, [](float s) { return std::log(s); });
}
inline double log_of_positive(double a) { return std::log(a); }

/// -inf at zero, NaN below.
template <class S, int N>
inline Lanes<S, N> log(Lanes<S, N> a) {
  using L = Lanes<S, N>;
  const L outside =
      select(a < L(0.0), L(std::numeric_limits<double>::quiet_NaN()), L(-std::numeric_limits<double>::infinity()));
  return select(a > L(0.0), log_of_positive(a), outside);
}
inline double log(double a) { return std::log(a); }

template <class S, int N>
inline Lanes<S, N> cbrt(Lanes<S, N> a) {
  return each_lane(a, [](S s) { return std::cbrt(s); });
}
inline double cbrt(double a) { return std::cbrt(a); }

template <class S, int N>
inline double sum(Lanes<S, N> a) {
  double total = 0;
  for (int i = 0; i < N; ++i) total += static_cast<double>(a.raw[i]);
  return total;
}
inline double sum(double a) { return a; }

template <class L>
inline bool any(L condition) {
  if constexpr (std::is_same_v<L, bool>) {
    return condition;
  } else {
    bool result = false;
    for (std::size_t i = 0; i < sizeof(L) / sizeof(condition[0]); ++i) result |= condition[i] != 0;
    return result;
  }
}

template <class L>
inline bool all(L condition) {
  if constexpr (std::is_same_v<L, bool>) {
    return condition;
  } else {
    return !any(~condition);
  }
}

/// Four doubles from any address, and back.
inline Doubles load(const double* p) {
#if defined(BRIO_AVX2)
  return Doubles(reinterpret_cast<Doubles::Raw>(_mm256_loadu_pd(p)));
#else
  Doubles r;
  __builtin_memcpy(&r.raw, p, sizeof r.raw);
  return r;
#endif
}
inline void store(double* p, Doubles a) {
#if defined(BRIO_AVX2)
  _mm256_storeu_pd(p, a.raw);
#else
  __builtin_memcpy(p, &a.raw, sizeof a.raw);
#endif
}

/// Rows become columns: r[i][j] <-> r[j][i].
inline void transpose(Doubles r[4]) {
#if defined(BRIO_AVX2)
  const __m256d t0 = _mm256_unpacklo_pd(r[0].raw, r[1].raw);
  const __m256d t1 = _mm256_unpackhi_pd(r[0].raw, r[1].raw);
  const __m256d t2 = _mm256_unpacklo_pd(r[2].raw, r[3].raw);
  const __m256d t3 = _mm256_unpackhi_pd(r[2].raw, r[3].raw);
  r[0].raw = _mm256_permute2f128_pd(t0, t2, 0x20);
  r[1].raw = _mm256_permute2f128_pd(t1, t3, 0x20);
  r[2].raw = _mm256_permute2f128_pd(t0, t2, 0x31);
  r[3].raw = _mm256_permute2f128_pd(t1, t3, 0x31);
#elif __has_builtin(__builtin_shufflevector)
  using Raw = Doubles::Raw;
  const Raw t0 = __builtin_shufflevector(r[0].raw, r[1].raw, 0, 4, 2, 6);
  const Raw t1 = __builtin_shufflevector(r[0].raw, r[1].raw, 1, 5, 3, 7);
  const Raw t2 = __builtin_shufflevector(r[2].raw, r[3].raw, 0, 4, 2, 6);
  const Raw t3 = __builtin_shufflevector(r[2].raw, r[3].raw, 1, 5, 3, 7);
  r[0].raw = __builtin_shufflevector(t0, t2, 0, 1, 4, 5);
  r[1].raw = __builtin_shufflevector(t1, t3, 0, 1, 4, 5);
  r[2].raw = __builtin_shufflevector(t0, t2, 2, 3, 6, 7);
  r[3].raw = __builtin_shufflevector(t1, t3, 2, 3, 6, 7);
#else
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < i; ++j) {
      const double swapped = r[i].raw[j];
      r[i].raw[j] = r[j].raw[i];
      r[j].raw[i] = swapped;
    }
#endif
}

}  // namespace brio
