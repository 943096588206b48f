"""`lutra pack root`: manage the roots, which say who may sign packs and who may change that."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.commands import PLAIN
from lutra.cli.errors import CliError
from lutra.cli.files import distinct
from lutra.cli.options import JsonOption
from lutra.cli.output import print_json
from lutra.cli.pack import files
from lutra.cli.pack.files import KeysOption
from lutra.firmware import pack
from lutra.firmware.pack import roots

ROLES = ("root", "pack")

app = typer.Typer(
    help="""Create, rotate, sign and show roots, which say who may sign packs.

    A file of roots contains all versions. Root keys sign each version: those of the version itself and those of the
    previous one. Keep root keys offline.

    \b
    Example:
      lutra pack root create --root-key offline.pub --pack-key release.pub -o vendor.roots
      lutra pack root sign vendor.roots --key offline.pem
      lutra pack root rotate vendor.roots --add-pack-key new.pub --remove-pack-key release.pub
      lutra pack root sign vendor.roots --key offline.pem
    """,
    **PLAIN,
)
RootsArgument = Annotated[
    Path, typer.Argument(metavar="FILE.roots", help="File of roots from `lutra pack root create`.")
]
OutOption = Annotated[Path, typer.Option("-o", metavar="FILE.roots", help="File of roots to write.")]
MaybeOutOption = Annotated[
    Path | None, typer.Option("-o", metavar="FILE.roots", help="File of roots to write; default: in place.")
]


def _keys(option: str, text: str) -> typer.models.OptionInfo:
    found: typer.models.OptionInfo = typer.Option(option, metavar="FILE.pub", help=f"{text}; repeatable.")
    return found


def _threshold(role: str, default: str = "1") -> typer.models.OptionInfo:
    help_text = f"Number of {role} keys that must sign; default {default}."
    found: typer.models.OptionInfo = typer.Option(
        f"--{role}-threshold", min=1, max=8, metavar="N", help=help_text, show_default=False
    )
    return found


@app.command()
def create(
    out: OutOption,
    root_key: Annotated[list[Path], _keys("--root-key", "Key that signs roots")],
    pack_key: Annotated[list[Path], _keys("--pack-key", "Key that signs packs")],
    root_threshold: Annotated[int, _threshold("root")] = 1,
    pack_threshold: Annotated[int, _threshold("pack")] = 1,
) -> None:
    """Create the first root. It becomes valid when enough of its root keys sign it with `lutra pack root sign`.

    Existing files are never overwritten.

    \b
    Example:
      lutra pack root create --root-key offline.pub --pack-key release.pub -o vendor.roots
    """
    distinct(files.named([*root_key, *pack_key]), {"-o": out})
    if out.is_file():
        raise CliError(
            f"{out}: already exists and devices may trust it; use `lutra pack root rotate`, or give another name"
        )
    sides = zip(ROLES, (root_key, pack_key), (root_threshold, pack_threshold), strict=True)
    made = roots.create(*(roots.role(f"{name} keys", files.public(paths), count) for name, paths, count in sides))
    files.write(out, roots.encode(made))


@app.command()
def rotate(
    file: RootsArgument,
    out: MaybeOutOption = None,
    add_root_key: Annotated[list[Path] | None, _keys("--add-root-key", "Another key that signs roots")] = None,
    remove_root_key: Annotated[list[Path] | None, _keys("--remove-root-key", "Root key to revoke")] = None,
    add_pack_key: Annotated[list[Path] | None, _keys("--add-pack-key", "Another key that signs packs")] = None,
    remove_pack_key: Annotated[list[Path] | None, _keys("--remove-pack-key", "Pack key to revoke")] = None,
    root_threshold: Annotated[int | None, _threshold("root", "as before")] = None,
    pack_threshold: Annotated[int | None, _threshold("pack", "as before")] = None,
) -> None:
    """Create the next version of the root: add keys, revoke keys, or change thresholds.

    It becomes valid when enough root keys of both the previous and the new version sign it with `lutra pack root sign`.

    \b
    Example:
      lutra pack root rotate vendor.roots --add-pack-key new.pub --remove-pack-key lost.pub
    """
    given = [path for some in (add_root_key, remove_root_key, add_pack_key, remove_pack_key) for path in some or ()]
    distinct(files.named([file, *given] if out else given), {"-o": out or file})
    before = files.roots(file)
    with files.about(file):
        last = _signed_last(before)
        new_root = _changed("root", last.root_keys, add_root_key, remove_root_key, root_threshold)
        new_pack = _changed("pack", last.pack_keys, add_pack_key, remove_pack_key, pack_threshold)
        if (new_root, new_pack) == (last.root_keys, last.pack_keys):
            raise pack.PackError("the next root would equal the last one; add or remove a key, or change a threshold")
        made = roots.rotate(before, new_root, new_pack)
    files.write(out or file, roots.encode(made))


def _signed_last(chain: roots.Roots) -> pack.Root:
    """Return the last root if it is valid."""
    try:
        return roots.chain(chain)[-1]
    except pack.PackError as error:
        raise pack.PackError(
            f"{error}; the last root must be valid before the next one: sign it with `lutra pack root sign`"
        ) from error


def _changed(
    name: str, role: pack.Role, added: Sequence[Path] | None, removed: Sequence[Path] | None, threshold: int | None
) -> pack.Role:
    """Return a role with keys added and removed."""
    gone = files.public(removed)
    for path, key in zip(removed or (), gone, strict=True):
        if key not in role.keys:
            raise pack.PackError(f"{path} is not a {name} key of the last root; it cannot be removed")
    kept = [key for key in role.keys if key not in gone]
    return roots.role(f"{name} keys", kept + files.public(added), threshold or role.threshold)


@app.command()
def sign(file: RootsArgument, key: KeysOption, out: MaybeOutOption = None) -> None:
    """Sign the last root with root keys of its own version, of the previous version, or both.

    This needs neither a network nor other files, so root keys can stay offline.

    \b
    Example:
      lutra pack root sign vendor.roots --key offline.pem
    """
    distinct(files.named([file, *key] if out else key), {"-o": out or file})
    found = files.roots(file)
    with files.about(file):
        for private in files.private(key):
            found = roots.sign(found, private)
    files.write(out or file, roots.encode(found))


@app.command()
def show(file: RootsArgument, json: JsonOption = False) -> None:
    """Show all versions with their keys and digests, and whether enough keys have signed them.

    The exit code is 1 if a version is not valid.

    \b
    Example:
      lutra pack root show vendor.roots
    """
    found = files.roots(file)
    with files.about(file):
        shown = [_shown(found, n) for n in range(len(found))]
    if json:
        print_json({"roots": shown})
    else:
        print("\n".join(line for root in shown for line in _lines(root)))
    if shown[-1]["wrong"]:
        raise typer.Exit(1)


def _shown(found: roots.Roots, n: int) -> dict[str, object]:
    """Return a root as JSON."""
    root = roots.opened(found[n])
    try:
        roots.chain(found[: n + 1])
        wrong = ""
    except pack.PackError as error:
        wrong = str(error)
    before = roots.opened(found[n - 1]).root_keys.keys if n else ()
    return {
        "version": root.version,
        "digest": pack.digest(found[n].root).hex(),
        "root_keys": _role(root.root_keys),
        "pack_keys": _role(root.pack_keys),
        "signed_by_previous": _by(found[n].by_previous, before),
        "signed_by_own": _by(found[n].by_own, root.root_keys.keys),
        "wrong": wrong or None,
    }


def _role(role: pack.Role) -> dict[str, object]:
    return {"threshold": role.threshold, "keys": [key.hex() for key in role.keys]}


def _by(signatures: Sequence[pack.Signature], known: Sequence[bytes]) -> list[str]:
    return [known[s.key].hex() if s.key < len(known) else f"unknown key {s.key}" for s in signatures]


def _lines(root: dict[str, object]) -> list[str]:
    lines = [f"root {root['version']}  digest {root['digest']}"]
    for name in ROLES:
        role = root[f"{name}_keys"]
        assert isinstance(role, dict)
        lines.append(f"  {name} keys, {role['threshold']} of {len(role['keys'])}")
        lines += [f"    {key}" for key in role["keys"]]
    for name in ("previous", "own"):
        by = root[f"signed_by_{name}"]
        assert isinstance(by, list)
        lines += [f"  signed by {name} {key[:16]}" for key in by]
    return [*lines, f"  not valid: {root['wrong']}" if root["wrong"] else "  valid"]
