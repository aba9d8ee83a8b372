"""The wheel is built from the sdist, installed apart and run: it must bring all that hoyle needs to work."""

import os
import subprocess
import sys
from email import message_from_string
from importlib.metadata import version
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

import pytest

from hoyle import resources

CHECKOUT = Path(__file__).resolve().parents[1]
DATA = ("grammar", "specs", "generated")

# One worker builds, and runs all that needs the wheel.
pytestmark = pytest.mark.xdist_group("packaging")


def run(*command: str | Path, cwd: Path, path: Path | None = None) -> str:
    """Return what `command` prints; modules are looked for in `path` first. Fails with all output."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command} failed:\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel made from the sdist, so that the sdist is known to hold what a wheel needs."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, CHECKOUT, cwd=out)
    assert [path.name for path in out.glob("*.tar.gz")] == [f"hoyle-{version('hoyle')}.tar.gz"]
    (path,) = out.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with hoyle alone, installed from the wheel; what it depends on is taken from this Python."""
    target = tmp_path_factory.mktemp("installed")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", "--target", target, wheel, cwd=target)
    return target


def data_files(folder: str) -> set[str]:
    paths = (path for path in (CHECKOUT / folder).rglob("*") if path.is_file())
    return {path.relative_to(CHECKOUT).as_posix() for path in paths if "__pycache__" not in path.parts}


def test_wheel_brings_the_code_and_its_types(wheel: Path) -> None:
    assert {"hoyle/py.typed", "hoyle/cli.py", "hoyle/runtime/chance.py"} <= set(ZipFile(wheel).namelist())


def test_wheel_brings_nothing_else(wheel: Path) -> None:
    tops = {PurePosixPath(name).parts[0] for name in ZipFile(wheel).namelist()}
    assert tops == {"hoyle", f"hoyle-{version('hoyle')}.dist-info"}


@pytest.mark.parametrize("folder", DATA)
def test_wheel_brings_data(wheel: Path, folder: str) -> None:
    packed = {name for name in ZipFile(wheel).namelist() if name.startswith(f"hoyle/{folder}/")}
    assert packed == {f"hoyle/{name}" for name in data_files(folder)}


def test_wheel_brings_what_the_commands_read(wheel: Path) -> None:
    assert {"hoyle/grammar/hoyle.lark", "hoyle/specs/dos.hoyle"} <= set(ZipFile(wheel).namelist())


def test_wheel_states_licence_and_python(wheel: Path) -> None:
    info = f"hoyle-{version('hoyle')}.dist-info"
    with ZipFile(wheel) as archive:
        metadata = message_from_string(archive.read(f"{info}/METADATA").decode())
        assert f"{info}/licenses/LICENSE" in archive.namelist()
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == ">=3.11"


def test_installed_package_says_its_version(installed: Path, tmp_path: Path) -> None:
    said = run(sys.executable, "-m", "hoyle", "--version", cwd=tmp_path, path=installed)
    assert version("hoyle") in said


def test_installed_package_reads_its_own_data(installed: Path, tmp_path: Path) -> None:
    code = f"from hoyle.resources import folder; print(*map(folder, {DATA}), sep='\\n')"
    said = run(sys.executable, "-c", code, cwd=tmp_path, path=installed)
    assert said.splitlines() == [str(installed / "hoyle" / name) for name in DATA]


def test_installed_command_checks_a_game_by_name(installed: Path, tmp_path: Path) -> None:
    run(installed / "bin" / "hoyle", "check", "dos", cwd=tmp_path, path=installed)


@pytest.mark.parametrize("folder", DATA)
def test_editable_install_reads_the_checkout(folder: str) -> None:
    assert Path(str(resources.folder(folder))) == CHECKOUT / folder
