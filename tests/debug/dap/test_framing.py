"""Messages are found again after anything that is none, in memory that is bounded."""

from __future__ import annotations

import pytest

from lutra.debug.dap.protocol import BODY_BYTES, LINE_BYTES, Malformed, Parser, encode

GOOD = encode({"seq": 1, "text": "é"})


def read(data: bytes, piece: int) -> list[object]:
    """All that comes of some bytes, fed in pieces."""
    parser = Parser()
    return [found for at in range(0, len(data), piece) for found in parser.feed(data[at : at + piece])]


@pytest.mark.parametrize("piece", [1, 7, 1 << 16])
def test_messages_are_read_in_pieces_of_any_size(piece: int) -> None:
    assert read(GOOD * 3, piece) == [{"seq": 1, "text": "é"}] * 3


@pytest.mark.parametrize(
    "header",
    [
        b"content-length: %d\r\n\r\n",
        b"Content-Length:%d\n\n",
        b"\r\n\r\nContent-Length: %d\r\n\r\n",
        b"Content-Type: application/json\r\nContent-Length: %d\r\nX: y\r\n\r\n",
    ],
)
def test_headers_may_be_written_in_several_ways(header: bytes) -> None:
    assert read(header % 2 + b"{}", 5) == [{}]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"hello\r\n", "no header: 'hello'"),
        (b"hello\r\nhello\r\nhello\r\n", "no header: 'hello'"),
        (b"}Content-Length: 2\r\n\r\n{}", "no header: '}Content-Length: 2'"),
        (b"Content-Length: ten\r\n\r\n", "Content-Length is not a number: 'ten'"),
        (b"Content-Length: -5\r\n\r\n", "Content-Length is not a number: '-5'"),
        (b"Content-Length: 99999999999999999999\r\n\r\n", "Content-Length is not a number"),
        (b"Content-Length: 4\r\n\r\n[{]}", "a message is not JSON"),
        (b"Content-Length: 3\r\n\r\nNaN", "a message is not JSON: NaN is not a number"),
        (b"Content-Length: 2\r\n\r\n\xff\xfe", "a message is not JSON"),
        (b"Content-Length: 0\r\n\r\n", "a message is not JSON"),
        (b"Content-Length: 2\r\n\r\n[]", "a message is not an object: '[]'"),
        (b"Content-Length: 200000\r\n\r\n" + b"[" * 200000, "a message is nested too deeply"),
        (b"Content-Length: 10000\r\n\r\n" + b"9" * 10000, "a message is not JSON"),
        (b"x" * 3 * LINE_BYTES + b"\n", f"a header has a line of more than {LINE_BYTES} bytes"),
    ],
)
@pytest.mark.parametrize("piece", [13, 1 << 20])
def test_what_is_no_message_is_told_once_and_the_next_one_is_found(data: bytes, said: str, piece: int) -> None:
    first, *rest = read(data + GOOD, piece)
    assert isinstance(first, Malformed) and said in first.text and "\n" not in first.text
    assert [one for one in rest if one != {}] == [{"seq": 1, "text": "é"}]


def test_a_message_that_is_too_long_is_left_out_and_not_kept() -> None:
    parser, length = Parser(), BODY_BYTES + 1
    found = list(parser.feed(b"Content-Length: %d\r\n\r\n" % length))
    assert found == [Malformed(f"a message of {length} bytes is left out; {BODY_BYTES} are the most")]
    for _ in range(length // 4096):
        assert not list(parser.feed(b"x" * 4096)) and not parser._buffer
    assert list(parser.feed(b"x" * (length % 4096) + GOOD)) == [{"seq": 1, "text": "é"}]
