#!/bin/sh
# Installs the requirements of a fresh machine, except Swift and make.
#
#   setup.sh            system libraries, and .venv in the package root for the test servers
#   setup.sh --system   system libraries only
#   setup.sh --editor   also Neovim, inotifywait, Emacs and node, if they can be had: their checks decide what it means if not
#
# Returns quickly when everything is installed. Needs root or sudo only when a package is missing.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
requirements="$root/Tests/Integration/Server/requirements.txt"
editor_requirements="$root/Tests/Integration/Editors/requirements.txt"
environment="$root/.venv"
stamp="$environment/requirements.installed.txt"
editor_stamp="$environment/editor.installed.txt"

missing_packages() {
  has_library libcurl.so.4 || echo libcurl4
  has_library libsqlite3.so.0 || echo libsqlite3-0
  [ "${1:-}" = --system ] && return
  # The check for Apple's platforms compiles against the header.
  [ -e /usr/include/sqlite3.h ] || echo libsqlite3-dev
  command -v python3 >/dev/null || echo python3
  # An existing virtual environment needs no ensurepip.
  [ -x "$environment/bin/python" ] || python3 -c "import ensurepip, venv" 2>/dev/null || echo python3-venv
}

has_library() {
  PATH="$PATH:/sbin:/usr/sbin" ldconfig -p | grep -q "$1"
}

install_packages() {
  echo "Installing $* …"
  if [ "$(id -u)" -eq 0 ]; then as_root=""; else as_root="sudo"; fi
  $as_root apt-get update -qq
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends "$@" >/dev/null
}

if command -v apt-get >/dev/null; then
  packages=$(missing_packages "${1:-}")
  # shellcheck disable=SC2086
  [ -z "$packages" ] || install_packages $packages
fi
[ "${1:-}" = --system ] && exit 0

install_wheels() {
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$@"
}

make_environment() {
  echo "Making the Python environment of the test server in .venv …"
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "The test server needs Python 3.11 or later; python3 is $(python3 --version)." >&2
    exit 1
  }
  rm -rf "$environment"
  python3 -m venv "$environment"
  install_wheels "$requirements"
  cp "$requirements" "$stamp"
}

# Neovim has no wheel for some machines.
install_editor() {
  log="$environment/editor.log"
  if ! cmp -s "$editor_requirements" "$editor_stamp"; then
    echo "Installing Neovim in .venv …"
    install_wheels "$editor_requirements" --only-binary :all: 2>"$log" \
      && cp "$editor_requirements" "$editor_stamp" \
      || echo "Neovim cannot be installed: $(tail -n 1 "$log")"
  fi
  packages=""
  command -v inotifywait >/dev/null || packages="inotify-tools"
  command -v node >/dev/null || packages="$packages nodejs"
  emacs --batch -q --eval "(progn (package-initialize) (require 'eglot))" 2>/dev/null \
    || packages="$packages emacs-nox elpa-eglot"
  if [ -n "$packages" ] && command -v apt-get >/dev/null; then
    # shellcheck disable=SC2086
    install_packages $packages || echo "$packages cannot be installed."
  fi
}

if ! cmp -s "$requirements" "$stamp" || ! "$environment/bin/python" -c "" 2>/dev/null; then
  make_environment
fi
[ "${1:-}" != --editor ] || install_editor
