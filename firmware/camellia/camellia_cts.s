// Camellia (RFC 3713): CBC with ciphertext stealing (SP 800-38A, addendum). The modes and their headers: common/cts.inc.

        .include "block.inc"
        .include "../common/cts.inc"
        .include "setup.inc"

        family_cts camellia
