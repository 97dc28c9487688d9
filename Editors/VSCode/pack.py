"""Packs the extension into a file that VS Code installs:

    python3 Editors/VSCode/pack.py relaystore.vsix && code --install-extension relaystore.vsix

Packing the same files again makes the same bytes.
"""

import json
import pathlib
import sys
import zipfile
from xml.sax.saxutils import escape, quoteattr

HERE = pathlib.Path(__file__).resolve().parent
CONTENT_TYPES = {".json": "application/json", ".js": "application/javascript", ".txt": "text/plain"}
DATE = (2026, 1, 1, 0, 0, 0)


def manifest(package: dict) -> str:
    identity = {key: quoteattr(package[key]) for key in ("name", "version", "publisher")}
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={identity["name"]} Version={identity["version"]} Publisher={identity["publisher"]} />
    <DisplayName>{escape(package["displayName"])}</DisplayName>
    <Description xml:space="preserve">{escape(package["description"])}</Description>
    <Tags>graphql,swift,relay</Tags>
    <Categories>{escape(",".join(package["categories"]))}</Categories>
    <License>extension/LICENSE.txt</License>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={quoteattr(package["engines"]["vscode"])} />
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true" />
  </Assets>
</PackageManifest>
"""


def content_types() -> str:
    types = CONTENT_TYPES | {".vsixmanifest": "text/xml"}
    lines = [f'  <Default Extension="{suffix}" ContentType="{kind}" />' for suffix, kind in types.items()]
    return "\n".join([
        '<?xml version="1.0" encoding="utf-8"?>',
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">', *lines, "</Types>", ""])


def pack(target: pathlib.Path) -> None:
    source = HERE / "extension"
    files = {
        "extension.vsixmanifest": manifest(json.loads((source / "package.json").read_text("utf-8"))).encode(),
        "[Content_Types].xml": content_types().encode(),
        "extension/LICENSE.txt": (HERE.parents[1] / "LICENSE").read_bytes(),
    }
    for path in sorted(path for path in source.rglob("*") if path.is_file()):
        files[f"extension/{path.relative_to(source).as_posix()}"] = path.read_bytes()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, DATE), data, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    pack(pathlib.Path(sys.argv[1]))
