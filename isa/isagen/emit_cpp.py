from isagen.model import Isa


def files(isa: Isa) -> dict[str, str]:
    return {}
