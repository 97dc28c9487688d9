"""Completes the web site of the documentation: its first page, its search, and the titles of its pages.

usage: site_pages.py SITE BASE

SITE is the folder of the site, and BASE its path on the host, such as /relaystore. The first page has the README's first lines and its program. The search finds the text of the
guides; DocC's own finds titles. Decisions are pages of the site, but not in its sidebar. A page that DocC has written
has its title only once its script has run; here each file gets one.
"""

import html
import json
import pathlib
import re
import sys

from articles import README, ROOT, headings, pages

LANDING = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>RelayStore</title>
<style>
  :root {{ color-scheme: light dark; }}
  body {{ font: 17px/1.5 system-ui, sans-serif; max-width: 46em; margin: 3em auto; padding: 0 1em; }}
  pre {{ overflow-x: auto; padding: 1em; border: 1px solid #8886; border-radius: 8px; font-size: 14px; }}
  input {{ font: inherit; width: 100%; box-sizing: border-box; padding: .5em .8em; }}
  nav a {{ margin-right: 1.5em; }}
  mark {{ background: #fd06; color: inherit; }}
  li {{ margin: .8em 0; }}
  small {{ display: block; opacity: .8; }}
</style>
<h1>RelayStore</h1>
{lead}
<nav><a href="{base}/documentation/guides/gettingstarted/">Getting started</a>
<a href="{base}/documentation/guides/">All guides</a> <a href="{base}/documentation/">The API</a></nav>
<p><input type="search" id="query" placeholder="Search the guides" aria-label="Search the guides" autofocus></p>
<ul id="found"></ul>
<div id="program"><h2>A complete program</h2>
{program}</div>
<script>
const base = {base_json};
const input = document.getElementById("query"), list = document.getElementById("found");
let sections = null;
function escaped(text) {{
  return text.replace(/[&<>"]/g, c => "&#" + c.charCodeAt(0) + ";");
}}
const common = new Set(("a an and are at be can do does for how i in is it me my no not of on or the to was what when where which why with").split(" "));
// The start of a word, at which its other forms start too.
function stem(word) {{
  return word.length > 4 ? word.replace(/(ing|ed|es|s|e|y)$/, "") : word;
}}
function pattern(word) {{
  return new RegExp("(?<![a-z0-9])" + word.replace(/[.*+?^${{}}()|[\\]\\\\]/g, "\\\\$&"), "gi");
}}
function marked(text, patterns) {{
  const all = new RegExp("(" + patterns.map(pattern => pattern.source).join("|") + ")", "gi");
  return text.split(all).map((part, n) => n % 2 ? "<mark>" + escaped(part) + "</mark>" : escaped(part)).join("");
}}
function excerpt(text, patterns) {{
  const found = Math.min(...patterns.map(p => text.search(p)).filter(at => at >= 0), text.length);
  const at = found === text.length ? 0 : Math.max(0, found - 60);
  return (at > 0 ? "… " : "") + text.slice(at, at + 200) + (at + 200 < text.length ? " …" : "");
}}
// The number of words that a section has counts first, then where it has them.
function score(section, patterns) {{
  let sum = 0;
  for (const pattern of patterns) {{
    const count = where => (section[where].match(pattern) ?? []).length;
    const weight = (count("heading") ? 40 : 0) + (count("page") ? 8 : 0) + Math.min(count("text"), 5);
    sum += weight ? 100 + weight : 0;
  }}
  return sum < 50 * patterns.length ? 0 : section.isHistory ? sum / 2 : sum;
}}
async function search() {{
  sections ??= await (await fetch(base + "/search.json")).json();
  const words = input.value.toLowerCase().split(/\\s+/).filter(word => word);
  const telling = words.filter(word => !common.has(word));
  const patterns = (telling.length ? telling : words).map(word => pattern(stem(word)));
  document.getElementById("program").hidden = words.length > 0;
  const found = words.length ? sections.map(s => [score(s, patterns), s]).filter(f => f[0]) : [];
  found.sort((a, b) => b[0] - a[0]);
  list.innerHTML = found.slice(0, 20).map(([, s]) =>
    `<li><a href="${{base}}${{s.path}}">${{escaped(s.page)}}${{s.heading ? ": " + escaped(s.heading) : ""}}</a>`
    + `<small>${{marked(excerpt(s.text, patterns), patterns)}}</small></li>`).join("")
    || (words.length ? "<li>Nothing found.</li>" : "");
}}
input.addEventListener("input", search);
</script>
</html>
"""


def plain(text):
    """Returns the words of Markdown, without its marks."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<!--.*?-->|<doc:\w+[^>]*>|^```.*$|^\s*\|[-| ]+\|\s*$", " ", text, flags=re.MULTILINE | re.DOTALL)
    return " ".join(re.sub(r"[`*|]", " ", text).split())


def address(name):
    return f"/documentation/guides/{name.lower()}/"


def anchored(heading):
    """Returns the anchor that DocC gives a heading."""
    return "#" + re.sub("[`\"’]", "", heading).replace(" ", "-")


def questions():
    """Returns the rows of the README's "How do I …", as the search shows them."""
    table = README.read_text(encoding="utf-8").partition("### How do I …\n")[2].partition("\n#")[0]
    found, names = [], pages()
    for question, text, link in re.findall(r"^\| (.*?) \| \[(.*?)\]\((.*?)\) \|$", table, flags=re.MULTILINE):
        path, _, anchor = link.partition("#")
        page = ROOT / path
        heading = headings(page.read_text(encoding="utf-8"))[anchor]
        found.append({"page": "How do I", "heading": plain(question), "path": address(names[page]) + anchored(heading), "text": plain(text)})
    return found


def sections():
    """Returns the sections of the guides, as the search shows them."""
    found = questions()
    for page, name in pages().items():
        text = page.read_text(encoding="utf-8")
        title = plain(re.sub("^#+ ", "", text.partition("\n")[0]))
        is_history = page.parent.name == "Decisions" or page.name == "CHANGELOG.md"
        parts = re.split(r"^##+ (.*)$", text, flags=re.MULTILINE)
        names = set(headings(text).values())
        for heading, body in zip(["", *parts[1::2]], [parts[0].partition("\n")[2], *parts[2::2]]):
            anchor = anchored(heading) if heading in names else ""
            found.append({"page": title, "heading": plain(heading), "path": address(name) + anchor, "text": plain(body), "isHistory": is_history})
    return found


def landing(base):
    """Returns the first page of the site."""
    text = README.read_text(encoding="utf-8")
    lead = plain(text.partition("\n## ")[0].partition("\n")[2])
    program = text.partition("`Sources/Hello/main.swift`\n\n```swift\n")[2].partition("```")[0]
    return LANDING.format(
        lead=f"<p>{html.escape(lead)}</p>", program=f"<pre><code>{html.escape(program)}</code></pre>", base=base,
        base_json=json.dumps(base))


def remove_decisions(node):
    """Removes the decisions from the sidebar's tree."""
    names = {name.lower() for path, name in pages().items() if path.parent.name == "Decisions"}
    children = node.get("children", [])
    kept = [child for child in children if child.get("path", "").rsplit("/", 1)[-1] not in names]
    # A heading whose entries are gone goes as well.
    node["children"] = [
        child for position, child in enumerate(kept)
        if child.get("type") != "groupMarker" or position + 1 < len(kept) and kept[position + 1].get("type") != "groupMarker"
    ]
    for child in node["children"]:
        if "children" in child:
            remove_decisions(child)


def set_titles(site):
    """Gives each page of the site its title."""
    count = 0
    for data in (site / "data").rglob("*.json"):
        title = json.loads(data.read_text(encoding="utf-8")).get("metadata", {}).get("title")
        page = site / data.relative_to(site / "data").with_suffix("") / "index.html"
        if title and page.exists():
            text = page.read_text(encoding="utf-8")
            page.write_text(re.sub("<title>.*?</title>", lambda _: f"<title>{html.escape(title)} · RelayStore</title>", text, count=1), encoding="utf-8")
            count += 1
    return count


def main(site, base):
    (site / "index.html").write_text(landing(base), encoding="utf-8")
    (site / "search.json").write_text(json.dumps(sections(), ensure_ascii=False), encoding="utf-8")
    index = site / "index/index.json"
    tree = json.loads(index.read_text(encoding="utf-8"))
    for nodes in tree["interfaceLanguages"].values():
        for node in nodes:
            remove_decisions(node)
    index.write_text(json.dumps(tree), encoding="utf-8")
    count = set_titles(site)
    if count < 500:
        sys.exit(f"error: only {count} pages have a title")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2].rstrip("/"))
