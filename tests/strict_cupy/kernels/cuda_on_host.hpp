// What CUDA's C++ has and the host's has not, for kernels that run as loops on the host.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#ifdef WITH_COMPLEX
#include <complex>
using std::complex;
#endif

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__
#define __restrict__
#define __constant__ static const
#define __launch_bounds__(...)

using std::isfinite;
using std::isinf;
using std::isnan;
using std::signbit;

struct dim3 { unsigned int x = 1, y = 1, z = 1; };
static thread_local dim3 threadIdx, blockIdx, blockDim, gridDim;
static const int warpSize = 32;

template <typename T, typename U> static inline std::common_type_t<T, U> min(T a, U b) {
    if constexpr (std::is_floating_point_v<std::common_type_t<T, U>>) return std::fmin(a, b);
    else return b < a ? b : a;
}
template <typename T, typename U> static inline std::common_type_t<T, U> max(T a, U b) {
    if constexpr (std::is_floating_point_v<std::common_type_t<T, U>>) return std::fmax(a, b);
    else return a < b ? b : a;
}

template <typename T> static inline T rsqrt(T x) { return T(1) / std::sqrt(x); }
static inline float rsqrtf(float x) { return 1.0f / std::sqrt(x); }
static inline double sinpi(double x) { return std::sin(M_PI * x); }
static inline double cospi(double x) { return std::cos(M_PI * x); }
#define __expf expf
#define __logf logf
#define __sinf sinf
#define __cosf cosf
#define __powf powf
static inline float __fdividef(float x, float y) { return x / y; }
static inline float __frcp_rn(float x) { return 1.0f / x; }
static inline double __drcp_rn(double x) { return 1.0 / x; }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __dsqrt_rn(double a) { return std::sqrt(a); }
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fsqrt_rn(float a) { return std::sqrt(a); }
template <typename T> static inline T __ldg(const T *p) { return *p; }

// One thread at a time: what is atomic on the device is plain here.
template <typename T, typename U> static inline T atomicAdd(T *p, U v) { T old = *p; *p = old + T(v); return old; }
template <typename T, typename U> static inline T atomicSub(T *p, U v) { T old = *p; *p = old - T(v); return old; }
template <typename T, typename U> static inline T atomicExch(T *p, U v) { T old = *p; *p = T(v); return old; }
template <typename T, typename U> static inline T atomicMax(T *p, U v) { T old = *p; *p = old < T(v) ? T(v) : old; return old; }
template <typename T, typename U> static inline T atomicMin(T *p, U v) { T old = *p; *p = T(v) < old ? T(v) : old; return old; }
template <typename T, typename U> static inline T atomicAnd(T *p, U v) { T old = *p; *p = old & T(v); return old; }
template <typename T, typename U> static inline T atomicOr(T *p, U v) { T old = *p; *p = old | T(v); return old; }
template <typename T, typename U> static inline T atomicXor(T *p, U v) { T old = *p; *p = old ^ T(v); return old; }
template <typename T> static inline T atomicCAS(T *p, T c, T v) { T old = *p; if (old == c) *p = v; return old; }

// A raw array of a kernel: one number counts in C order, a list of numbers names an element.
template <typename T> struct CArray {
    char *data; long long size_; int ndim; const long long *shape_, *strides_;
    ptrdiff_t size() const { return size_; }
    const long long *shape() const { return shape_; }
    const long long *strides() const { return strides_; }
    T &operator[](ptrdiff_t i) const {
        char *p = data;
        for (int d = ndim - 1; d >= 0; d--) { p += (i % shape_[d]) * strides_[d]; i /= shape_[d]; }
        return *reinterpret_cast<T *>(p);
    }
    template <typename I> T &operator[](const I *index) const {
        char *p = data;
        for (int d = 0; d < ndim; d++) p += index[d] * strides_[d];
        return *reinterpret_cast<T *>(p);
    }
};

struct CIndexer {
    long long size_; int ndim; const long long *shape_; ptrdiff_t index_[64];
    ptrdiff_t size() const { return size_; }
    void set(ptrdiff_t i) { for (int d = ndim - 1; d >= 0; d--) { index_[d] = i % shape_[d]; i /= shape_[d]; } }
    const ptrdiff_t *get() const { return index_; }
};

struct Argument { char *data; long long size; int ndim; const long long *shape, *strides; };
