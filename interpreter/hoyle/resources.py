"""Where the grammar, the games and the generated modules lie.

They are folders of the checkout, and data of the package once it is installed. This module alone knows which
of the two it is, so that nothing else asks.
"""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


def folder(name: str) -> Traversable:
    """Return NAME/ as installed, or from the checkout in an editable install."""
    installed = files("hoyle") / name
    return installed if installed.is_dir() else CHECKOUT / name
