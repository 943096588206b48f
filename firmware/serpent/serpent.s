// Serpent (Anderson, Biham, Knudsen 1998), groups of four blocks: ECB, CBC, CFB128, OFB, CTR (SP 800-38A).
//
// Calling convention: firmware/README.md. The modes and their headers: common/modes_groups.inc.

        .include "block.inc"
        .include "../common/modes_groups.inc"

        groups_modes serpent, _inverse
