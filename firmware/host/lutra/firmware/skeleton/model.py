"""The cipher in plain Python, the reference for the firmware; it shares nothing with it.

python model.py > skeleton.vectors.json
"""

import json


def encrypt_block(key: bytes, block: bytes) -> bytes:
    """E(x) = S(x ^ K0) ^ K1."""
    keys = key, key[1:] + key[:1]
    x = bytes(a ^ b for a, b in zip(block, keys[0], strict=True))
    s = bytes((5 * b + 7) % 256 for b in x)
    return bytes(a ^ b for a, b in zip(s, keys[1], strict=True))


def ctr(key: bytes, iv: bytes, data: bytes) -> bytes:
    """Counter mode: data XOR the encrypted counter blocks from iv on."""
    counter, out = int.from_bytes(iv, "big"), b""
    for at in range(0, len(data), 16):
        stream = encrypt_block(key, (counter % 2**128).to_bytes(16, "big"))
        out += bytes(a ^ b for a, b in zip(data[at : at + 16], stream, strict=True))
        counter += 1
    return out


def vector(name: str, key: bytes, iv: bytes, plaintext: bytes) -> dict[str, str]:
    """One test of the vector file."""
    texts = {"key": key, "iv": iv, "plaintext": plaintext, "ciphertext": ctr(key, iv, plaintext)}
    return {"id": name} | {field: text.hex() for field, text in texts.items()}


if __name__ == "__main__":
    key = bytes(range(16))
    tests = [
        vector("one block", key, bytes(16), bytes(16)),
        vector("the counter carries", key, bytes(15) + b"\xff", bytes(range(80))),
        vector("the counter wraps", bytes(16), b"\xff" * 16, bytes(32)),
    ]
    print(json.dumps({"algorithm": "skeleton", "mode": "CTR", "tests": tests}, indent=2))
