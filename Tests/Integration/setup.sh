#!/bin/sh
# Makes the Python environment of the integration tests' server: .venv in the package root.
# Does nothing when it is there and its requirements are those of requirements.txt.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
requirements="$root/Tests/Integration/Server/requirements.txt"
environment="$root/.venv"
stamp="$environment/requirements.installed.txt"

if cmp -s "$requirements" "$stamp" && "$environment/bin/python" -c "" 2>/dev/null; then
  exit 0
fi
echo "Making the Python environment of the test server in .venv …"
rm -rf "$environment"
python3 -m venv "$environment"
"$environment/bin/python" -m pip install --quiet --disable-pip-version-check \
  --requirement "$requirements"
"$environment/bin/python" -m compileall -q "$root/Tests/Integration/Server" || true
cp "$requirements" "$stamp"
