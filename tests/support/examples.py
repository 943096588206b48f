"""Known answers of several standards, as files of vectors have them."""

from __future__ import annotations

# RFC 4493 4, example 2.
CMAC = {
    "key": "2b7e151628aed2a6abf7158809cf4f3c",
    "message": "6bc1bee22e409f96e93d7e117393172a",
    "mac": "070a16b46b4d4144f79bdd9dd04a287c",
}
# McGrew and Viega, test case 2.
GCM = {
    "key": "00" * 16,
    "nonce": "00" * 12,
    "aad": "",
    "plaintext": "00" * 16,
    "ciphertext": "0388dace60b6a392f328c2b971b2fe78",
    "tag": "ab6e47d42cec13bdf53a67b21257bddf",
}
