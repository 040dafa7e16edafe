#pragma once

// Which sanitizers watch this build: HEADLIGHT_ADDRESS_SANITIZER and HEADLIGHT_THREAD_SANITIZER are defined
// under theirs. GCC defines a macro for each; Clang 14 answers __has_feature() alone.

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEADLIGHT_ADDRESS_SANITIZER
#endif
#if __has_feature(thread_sanitizer)
#define HEADLIGHT_THREAD_SANITIZER
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define HEADLIGHT_ADDRESS_SANITIZER
#endif
#ifdef __SANITIZE_THREAD__
#define HEADLIGHT_THREAD_SANITIZER
#endif

namespace headlight {

/// Whether one of them does: programs take several times as long, and all of the address space.
#if defined(HEADLIGHT_ADDRESS_SANITIZER) || defined(HEADLIGHT_THREAD_SANITIZER)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

}  // namespace headlight
