#include "lutra_soc.h"

const char* lutra_soc_text(enum lutra_soc_result result) {
#define LUTRA_SOC_TEXT(name, value, text) \
  case LUTRA_SOC_##name:                  \
    return text;
  switch (result) {
    LUTRA_STATUS_CODES(LUTRA_SOC_TEXT)
    LUTRA_SOC_ERRORS(LUTRA_SOC_TEXT)
    default:
      return "no such result";
  }
}
