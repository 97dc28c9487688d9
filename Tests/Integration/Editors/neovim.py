"""Runs Neovim without a terminal in a package that `relay-compiler init --editor neovim` has set up. What it does and expects is
in neovim.lua.

    python Tests/Integration/Editors/neovim.py BINARY

Its exit code is 1 if an expectation fails. Without the `nvim` that `setup.sh --editor` installs it is 1 if CI is set, and else 0.
"""

import hashlib
import pathlib
import sys

import library

HERE = pathlib.Path(__file__).resolve().parent


def check(neovim: str, binary: pathlib.Path, package: pathlib.Path) -> int:
    import tree_sitter_swift  # Installed with Neovim.

    home = package.parent
    settings = package / ".nvim.lua"
    digest = hashlib.sha256(settings.read_bytes()).hexdigest()
    library.write({
        "config/nvim/init.lua": "vim.o.exrc = true\n",
        # What Neovim writes when the user allows the file.
        "state/nvim/trust": f"{digest} {settings}\n",
    }, home)
    variables = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
    parsers = list(pathlib.Path(tree_sitter_swift.__file__).parent.glob("_binding*.so"))
    variables |= {"SWIFT_PARSER": str(parsers[0]), "FIXES": str(library.FIXES)}
    return library.run([neovim, "--headless", "-c", f"luafile {HERE / 'neovim.lua'}"], binary, package, variables)


if __name__ == "__main__":
    program = pathlib.Path(sys.executable).parent / "nvim"
    sys.exit(library.main("neovim", str(program) if program.exists() else None, check))
