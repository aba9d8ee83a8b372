"""What all tests share: the same behaviour on a quick and on a busy machine, in a terminal and in CI."""

import os

from hypothesis import settings

# The time an example takes says more about the machine than about the code.
settings.register_profile("hoyle", deadline=None)
settings.load_profile("hoyle")

# These make rich and typer colour what they print even when nobody looks.
for name in ("CLICOLOR_FORCE", "FORCE_COLOR", "GITHUB_ACTIONS"):
    os.environ.pop(name, None)
