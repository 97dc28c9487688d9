"""Writes the README, the guides of Docs and the decisions as a DocC catalogue of articles.

usage: articles.py CATALOGUE [CHANGES]

The sections of the README's "Read on" are the groups of the catalogue's first page; links with an anchor do not
count. Links between pages become links between articles; a link to another file of the package becomes its text.
CHANGES is a file with the output of `make api-diff`, which becomes an article too. Fails on a page that no group
names, or two do.
"""

import pathlib
import re
import shutil
import sys
from collections import Counter

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
# The image's mark, the text and the target of a link; or code, in which nothing is a link. Both may
# break over lines.
LINK = re.compile(r"(`+)(?:(?!\1)[\s\S])*\1|(!?)\[((?:[^\[\]`]|`[^`]*`)*)\]\(([^)\s]+)\)")
CHANGES = "APIChanges"


def pages():
    """Returns the pages that become articles, by their paths."""
    decisions = sorted((ROOT / "Docs/Decisions").glob("*.md"))
    guides = sorted(path for path in (ROOT / "Docs").rglob("*.md") if path.parent.name != "Decisions")
    paths = [*guides, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *decisions]
    return {path: path.stem for path in paths}


def headings(text):
    """Returns the headings of a page by the anchors that GitHub gives them."""
    found, counts, is_code = {}, Counter(), False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code and (match := re.match(r"#+ (.*)", line)):
            slug = re.sub(r"[^\w\- ]", "", match[1].lower()).replace(" ", "-")
            found[slug if counts[slug] == 0 else f"{slug}-{counts[slug]}"] = match[1]
            counts[slug] += 1
    return found


class Catalogue:
    def __init__(self, folder):
        self.folder, self.pages = folder, pages()
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)

    def target(self, path, anchor):
        """Returns the article that a link leads to, or `None` if the file is not an article."""
        if path == README or path == ROOT / "Docs/Decisions":
            return "doc:Guides"
        if path not in self.pages:
            return None
        if not anchor:
            return f"doc:{self.pages[path]}"
        heading = headings(path.read_text(encoding="utf-8"))[anchor]
        fragment = re.sub("[`\"’]", "", heading).replace(" ", "-")
        return f"doc:{self.pages[path]}#{fragment}"

    def paragraph(self, text, page):
        """Returns a paragraph of a page with the links of an article."""

        def link(match):
            mark, text, target = match[2], match[3], match[4]
            if target is None or "://" in target or target.startswith("mailto:"):
                return match[0]
            name, _, anchor = target.partition("#")
            path = (page.parent / name).resolve() if name else page
            if mark:
                shutil.copy(path, self.folder)
                return f"![{text}]({path.name})"
            article = self.target(path, anchor)
            if article and text == path.name:
                return f"<{article}>"  # the title of the page
            return f"[{text}]({article})" if article else text

        if text.startswith("#"):
            text = text.replace("`", "")  # DocC shows headings as they are
        article = LINK.sub(link, text)
        if left := re.search(r"\]\((#|(?!\w+://)[^)\s]*\.md)[^)]*\)", article):
            sys.exit(f"error: {page.relative_to(ROOT)} has a link that was not read: {left[0]}")
        return article

    def article(self, page):
        """Returns the text of a page as an article."""
        blocks, prose, is_code = [], [], False

        def end_paragraph():
            if prose:
                blocks.append(self.paragraph("\n".join(prose), page))
                prose.clear()

        for line in page.read_text(encoding="utf-8").splitlines():
            fence = re.match(r"\s*```\w*", line)
            if fence:
                end_paragraph()
                is_code = not is_code
                blocks.append(fence[0])  # without what follows the language
            elif is_code:
                blocks.append(line)
            elif not line.strip() or line.startswith("#"):
                end_paragraph()
                blocks.append(self.paragraph(line, page))
            elif not re.fullmatch(r"<!-- .* -->", line):
                prose.append(line)
        end_paragraph()
        return "\n".join(blocks) + "\n"

    def groups(self):
        """Returns the names of articles in each section of the README's list of pages."""
        text = README.read_text(encoding="utf-8").partition("\n## Read on\n")[2]
        groups = {}
        for section in text.split("\n### ")[1:]:
            title, _, body = section.partition("\n")
            links = [match[4] for match in LINK.finditer(body) if match[4] and "#" not in match[4]]
            paths = [(ROOT / link).resolve() for link in links]
            if names := [self.pages[path] for path in paths if path in self.pages]:
                groups[title] = names
        groups["Decisions"] = [name for path, name in self.pages.items() if path.parent.name == "Decisions"]
        return groups

    def write(self, changes):
        groups = self.groups()
        if changes:
            groups["The project"].append(CHANGES)
            self.save(CHANGES, changes_article(changes))
        counts = Counter(name for names in groups.values() for name in names)
        for page, name in self.pages.items():
            if counts[name] != 1:
                sys.exit(f"error: {counts[name]} sections of the README's \"Read on\" name {page.relative_to(ROOT)}, expected 1")
            self.save(name, self.article(page))
        self.save("Guides", self.first_page(groups))

    def first_page(self, groups):
        """Returns the README without its list of pages, which the groups of topics replace."""
        text, _, _ = self.article(README).partition("\n## Read on\n")
        title, _, body = text.partition("\n")
        topics = "".join(f"\n### {title}\n\n" + "".join(f"- <doc:{name}>\n" for name in names) for title, names in groups.items())
        return f"# Guides\n\n@Metadata {{\n  @TechnologyRoot\n}}\n{body}\n## Topics\n{topics}"

    def save(self, name, text):
        (self.folder / f"{name}.md").write_text(text, encoding="utf-8")


def changes_article(path):
    """Returns the article about the changes of the libraries' API."""
    lines = []
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        breakage = re.search(r"API breakage: (.*)", line)
        module = re.match(r"(.*) detected in (\w+)", line)
        if breakage:
            lines.append(f"- `{breakage[1]}`")
        elif module:
            lines.append(f"\n## {module[2]}\n\n{module[1]}.\n")
    return f"""# Changes of the API

What breaks code that uses the libraries, as `make api-diff` has found it.

Functions of access level `package` are listed too, since they are in the modules. A library is missing if the revision does not have it.
{chr(10).join(lines)}
"""


if __name__ == "__main__":
    Catalogue(pathlib.Path(sys.argv[1])).write(sys.argv[2] if len(sys.argv) > 2 else None)
