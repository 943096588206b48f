"""`lutra pack build`: build a pack from folders of firmware."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from lutra.asm.errors import plural
from lutra.cli import proofs
from lutra.cli.errors import UsageError
from lutra.cli.files import distinct
from lutra.cli.options import JsonOption, own_files
from lutra.cli.output import print_json, progress
from lutra.cli.pack import files
from lutra.cli.pack.inspect import document, signers
from lutra.cli.request import takes
from lutra.firmware import kat, pack


@dataclass(frozen=True, kw_only=True)
class Request:
    """Options of the command."""

    firmware: Annotated[
        list[Path],
        typer.Argument(metavar="FIRMWARE", help="Folder with a firmware.toml, or the name of an installed cipher."),
    ]
    out: Annotated[Path, typer.Option("-o", metavar="FILE.pack", help="Pack to write.")]
    name: Annotated[
        str | None, typer.Option("--name", metavar="TEXT", help="Name of the pack; default: from the ciphers.")
    ] = None
    version: Annotated[str | None, typer.Option("--version", metavar="A.B.C", help="Version of the pack.")] = None
    counter: Annotated[
        int | None,
        typer.Option("--counter", metavar="N", min=0, max=255, help="Security counter, 0 to 255; default 0."),
    ] = None
    algorithm: Annotated[
        list[str] | None, typer.Option("--algorithm", metavar="NAME", help="Default: all; repeatable.")
    ] = None
    vectors: Annotated[
        list[Path] | None,
        typer.Option(
            "--vectors", metavar="FILE", help="File or folder of vectors; repeatable; default: those of FIRMWARE."
        ),
    ] = None
    answers: Annotated[
        int | None,
        typer.Option("--answers", metavar="N", min=1, max=64, help="Vectors per known answer, 1 to 64; default 2."),
    ] = None
    roots: Annotated[
        Path | None, typer.Option("--roots", metavar="FILE.roots", help="File of roots, which say whose keys may sign.")
    ] = None
    key: Annotated[
        list[Path] | None, typer.Option("--key", metavar="FILE.pem", help="Sign with this private key; repeatable.")
    ] = None
    prove: Annotated[bool, typer.Option("--prove", help="Prove all algorithms first, and record it in the pack.")] = (
        False
    )
    json: JsonOption = False

    @property
    def settings(self) -> pack.Settings:
        """Settings of the pack: the options, and what they leave to the table [pack]."""
        chosen, vectors = self.algorithm or (), self.vectors or ()
        return pack.read_settings(self.firmware, self.name, self.version, self.counter, chosen, vectors, self.answers)


@takes(Request)
def command(request: Request) -> None:
    """Build a pack: images, known answers from published vectors, and how a host calls them.

    Options that are not given come from the table [pack] of firmware.toml. The build stops if a vector fails. The same
    inputs give the same bytes.

    \b
    Example:
      lutra pack build otter --version 1.0.0 --roots vendor.roots --key release.pem -o otter.pack
      lutra pack build otter --version 1.0.0 -o otter.pack --prove
      lutra pack build otter aes-128-gcm zuc --vectors vectors --name radio --version 2.0.0 -o radio.pack
    """
    settings, made = _built(request)
    data = pack.encode(made)
    files.write(request.out, data)
    if request.json:
        print_json(document(made) | {"left_out": [asdict(left) for left in settings.left_out]})
    else:
        print("\n".join([_summary(made, len(data)), *_left_out(settings.left_out)]))


def _built(request: Request) -> tuple[pack.Settings, pack.Pack]:
    """Return the pack, signed if there are keys, and what it is made of. Raises UsageError before anything is built."""
    keys, roots = request.key or (), request.roots
    if keys and roots is None:
        raise UsageError("--key needs --roots, which say whose keys may sign")
    if roots and not keys:
        raise UsageError("--roots needs --key; give both, or neither and sign later with `lutra pack sign`")
    settings = request.settings
    inputs = own_files(settings.known) | files.named([*kat.files(settings.vectors), *keys]) | {"--roots": roots}
    distinct(inputs, {"-o": request.out})
    private, known = files.private(keys), files.roots(roots) if roots else None
    proved = proofs.for_pack(settings.algorithms) if request.prove else {}
    with progress(f"building {settings.name}", None) as done:
        made = pack.build(settings, done, proved)
    if known is not None and roots is not None:
        with files.about(roots):
            made = pack.signed(made, known, private)
    return settings, made


def _summary(made: pack.Pack, size: int) -> str:
    """Return the lines that say what is in a pack of `size` bytes."""
    contents = pack.contents(made)
    manifest = contents.manifest
    lines = [
        f"{manifest.name} {manifest.version}: {plural(len(manifest.algorithms), 'algorithm')} in "
        f"{plural(len(manifest.images), 'image')}, {plural(len(contents.answers), 'known answer')}, {size} bytes; "
        f"{signers(made)}"
    ]
    if missing := pack.unanswered(contents):
        lines.append(f"no known answer for {', '.join(missing)}: there are no vectors for it")
    return "\n".join(lines)


def _left_out(images: Iterable[pack.LeftOut]) -> Iterator[str]:
    """Return a line for each image that the configuration cannot run."""
    served: dict[tuple[str, str, str], list[str]] = {}
    for left in images:
        served.setdefault((left.image, left.instead, left.why), []).append(left.algorithm)
    for (image, instead, why), algorithms in served.items():
        yield f"{instead or 'nothing'} instead of {image} for {', '.join(algorithms)}: {why}"
