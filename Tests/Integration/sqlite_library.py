"""Prints the path of a build of SQLite of another version than the system's, for the storage's tests.

    python Tests/Integration/sqlite_library.py FOLDER

Wheels of pyproj contain SQLite as a shared library: 3.42.0 in 3.6.1, 3.46.1 in 3.7.2. The one that
is not the system's version is downloaded to the folder once.
"""

import pathlib
import platform
import sqlite3
import subprocess
import sys
import zipfile

WHEELS = {"3.46.1": ("3.7.2", "3.12"), "3.42.0": ("3.6.1", "3.10")}


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    version = next(version for version in WHEELS if version != sqlite3.sqlite_version)
    library = folder / f"libsqlite3-{version}.so"
    if not library.exists():
        download(folder, version, library)
    print(library)


def download(folder, version, library):
    pyproj, python = WHEELS[version]
    machine = platform.machine()
    subprocess.run(
        [
            sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
            "--no-deps", "--only-binary", ":all:", "--python-version", python,
            "--platform", f"manylinux_2_28_{machine}", "--platform", f"manylinux_2_17_{machine}",
            "--dest", folder, f"pyproj=={pyproj}",
        ],
        check=True, stdout=sys.stderr,
    )
    wheel = next(folder.glob(f"pyproj-{pyproj}-*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if "/libsqlite3" in name)
        library.write_bytes(archive.read(name))
    wheel.unlink()


main()
