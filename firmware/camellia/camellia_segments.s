// Camellia (RFC 3713): CFB8 and CFB1 (SP 800-38A). The modes and their headers: common/segments.inc.

        .include "block.inc"
        .include "../common/segments.inc"

        segment_routines camellia
