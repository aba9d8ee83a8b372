"""Rules of card and tile games as text: checked, played, measured.

>>> import hoyle
>>> table = hoyle.load("dos").start(players=2, seed=7)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hoyle.runtime.game import BaseGame

__all__ = ["__version__", "load"]
__version__ = "0.1.0"


def load(path: str) -> BaseGame:
    """Return the playable game of a spec, a path or the name of a game that comes with hoyle, or of a generated module.

    Raises hoyle.session.SpecError with a report of what is wrong, hoyle.session.NoSuchSpec if there is no such file.
    """
    from hoyle.session import load as load_spec

    return load_spec(path)
