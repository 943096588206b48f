"""The subset of CBOR (RFC 8949) that packs consist of, where each value has one encoding (docs/pack-format.md).

Nothing here reads an unknown item: a reader says what must come next, so depth and lengths are those of
the schema.
"""

from __future__ import annotations

from lutra.firmware.pack.errors import PackError

UINT, BYTES, TEXT, ARRAY = 0, 2, 3, 4
SIMPLE = {False: 0xF4, True: 0xF5}
MOST = 2**32 - 1
# Lower five bits of the first byte -> bytes of the number that follows, and its least value.
LONGER = {24: (1, 24), 25: (2, 1 << 8), 26: (4, 1 << 16)}
# Names by the upper three bits of the first byte.
CALLED = (
    *("an unsigned integer", "a negative integer", "a byte string", "a text", "an array", "a map", "a tag"),
    "a simple value or float",
)
PRINTABLE = range(0x20, 0x7F)


class Placed(bytes):
    """Bytes read from a file. at: offset of the first one in the file."""

    at: int

    def __new__(cls, data: bytes, at: int = 0) -> Placed:
        found = super().__new__(cls, data)
        found.at = at
        return found


def place(data: bytes) -> int:
    """Return the offset of bytes in the file that they were read from; 0 for others."""
    return data.at if isinstance(data, Placed) else 0


def head(major: int, number: int) -> bytes:
    """The first bytes of an item: its kind, and its value or length in the shortest form."""
    if number < 24:
        return bytes([major << 5 | number])
    code, (size, _) = next((code, form) for code, form in LONGER.items() if number < 1 << 8 * form[0])
    return bytes([major << 5 | code]) + number.to_bytes(size, "big")


class Reader:
    """Reads items from bytes, one after another. Each method raises PackError with the place of the error.

    at: the next byte. base: where the first byte stands in the file, for what is read of a byte string.
    """

    def __init__(self, data: bytes, base: int = 0) -> None:
        self._data = data
        self._base = base
        self._at = 0

    @property
    def place(self) -> int:
        """Offset of the next item in the file."""
        return self._base + self._at

    @property
    def next_byte(self) -> bytes:
        """The first byte of the next item; nothing at the end."""
        return self._data[self._at : self._at + 1]

    def copy(self) -> Reader:
        """Another reader at the same place."""
        found = Reader(self._data, self._base)
        found._at = self._at
        return found

    def uint(self) -> int:
        return self._head(UINT)

    def array(self, low: int, high: int) -> int:
        """The length of an array, whose items come next."""
        return self._length(ARRAY, low, high)

    def bytes(self, low: int, high: int) -> Placed:
        return self._take(self._length(BYTES, low, high), "a byte string")

    def text(self, low: int, high: int) -> str:
        data = self._take(self._length(TEXT, low, high), "a text")
        if (stray := next((n for n, byte in enumerate(data) if byte not in PRINTABLE), None)) is not None:
            raise PackError(f"expected printable ASCII, found the byte {data[stray]:#04x}", data.at + stray)
        return data.decode("ascii")

    def boolean(self) -> bool:
        place, first = self.place, self._take(1, "false or true")[0]
        for value, code in SIMPLE.items():
            if first == code:
                return value
        raise PackError(f"expected false or true, found {_called(first)}", place)

    def end(self) -> None:
        """PackError where bytes follow."""
        if left := len(self._data) - self._at:
            raise PackError(f"expected the end, found {left} more byte{'s' if left > 1 else ''}", self.place)

    def _length(self, major: int, low: int, high: int) -> int:
        place, length = self.place, self._head(major)
        if not low <= length <= high:
            of = "items" if major == ARRAY else "bytes"
            wanted = f"{low}" if low == high else f"{low} to {high}"
            raise PackError(f"expected {CALLED[major]} of {wanted} {of}, found one of {length}", place)
        return length

    def _head(self, major: int) -> int:
        place, first = self.place, self._take(1, CALLED[major])[0]
        if first >> 5 != major:
            raise PackError(f"expected {CALLED[major]}, found {_called(first)}", place)
        code = first & 31
        if code < 24:
            return code
        if code not in LONGER:
            what = {27: "one above 2^32 - 1", 31: "an indefinite length"}.get(code, "a reserved first byte")
            raise PackError(f"expected {CALLED[major]}, found {what}", place)
        size, least = LONGER[code]
        number = int.from_bytes(self._take(size, CALLED[major]), "big")
        if number < least:
            raise PackError(f"expected the shortest form of {number}, found a longer one", place)
        return number

    def _take(self, size: int, what: str) -> Placed:
        place, data = self.place, self._data[self._at : self._at + size]
        if len(data) < size:
            raise PackError(f"expected {what}, found the end of the data", self._base + len(self._data))
        self._at += size
        return Placed(data, place)


def _called(first: int) -> str:
    """Return the name of an item by its first byte."""
    return next((str(value).lower() for value, code in SIMPLE.items() if code == first), CALLED[first >> 5])
