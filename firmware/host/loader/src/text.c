// The texts of results, for a host that has a user.
#include "lutra_loader.h"

const char* lutra_text(enum lutra_result result) {
  switch (result) {
#define TEXT_OF(name, text) \
  case LUTRA_ERROR_##name:  \
    return text;
    LUTRA_ERRORS(TEXT_OF)
    default:
      return "no result of the loader";
  }
}
