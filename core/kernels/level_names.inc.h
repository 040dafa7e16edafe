// What the code of one processor level begins with. Inline functions compiled for a level must not be the
// copy that the linker keeps for everybody else: Eigen gets a namespace of this level's own, everything of
// ours is in an unnamed one, and no standard container is used. A test reads the symbols of the object files.

#ifndef HEADLIGHT_LEVEL
#error "define HEADLIGHT_LEVEL, the name of the level, before including this file"
#endif

#define HEADLIGHT_JOIN_(a, b) a##b
#define HEADLIGHT_JOIN(a, b) HEADLIGHT_JOIN_(a, b)
#define Eigen HEADLIGHT_JOIN(Eigen_, HEADLIGHT_LEVEL)
#define EIGEN_NO_DEBUG
