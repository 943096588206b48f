// Result messages, for a host with a user.
#include "lutra_loader.h"

#define TEXT_OF(name, text) \
  case LUTRA_ERROR_##name:  \
    return text;

const char* lutra_text(enum lutra_result result) {
  switch (result) {
    LUTRA_ERRORS(TEXT_OF)
    default:
      return "no result of the loader";
  }
}
