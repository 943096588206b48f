// The loader's interface, which is C.
#pragma once

extern "C" {
#include "lutra_loader.h"
}
