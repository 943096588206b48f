"""The firmware from the host's side: what it serves, and how to run it.

    from lutra.firmware import crypt
    ciphertext = crypt.encrypt("aes-128-ctr", key, data, iv=iv)

The manifests (`firmware/<cipher>/firmware.toml`) say which algorithms there are; nothing here names a cipher.
"""

from pkgutil import extend_path

# In a checkout the compiled module is built outside the source tree.
__path__ = extend_path(__path__, __name__)

from lutra.firmware import bench, crypt, kat

__all__ = ["bench", "crypt", "kat"]
