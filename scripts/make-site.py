#!/usr/bin/env python3
"""Makes a site of the README, the changelog and the pages under docs/. Needs the module markdown (PyPI, or Debian's python3-markdown).

Usage: make-site.py FOLDER       writes the site, index.html first
       make-site.py --check      only checks that all links and anchors of the pages lead somewhere; needs no module and no network

A page may link to any file or folder of the repository: another page becomes its HTML, a folder its README or a list of what is in it, and any other
file is copied. Headings have the anchors that GitHub gives them.
"""
import argparse
import html
import os
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`+).+?\1", re.DOTALL)
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
HEADING = re.compile(r"^#{1,6} +(.*?) *#*$", re.MULTILINE)
STYLE = """body { max-width: 60em; margin: 2em auto; padding: 0 1em; font: 16px/1.5 sans-serif; color: #222 }
pre { background: #f4f4f4; padding: .7em; overflow-x: auto } code { background: #f4f4f4 } table { border-collapse: collapse; display: block; overflow-x: auto }
td, th { border: 1px solid #ccc; padding: .3em .6em; text-align: left; vertical-align: top } nav { margin-bottom: 2em } img { max-width: 100% }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd } pre, code { background: #262626 } a { color: #8ab4f8 } img { background: #fff } }
"""
NAVIGATION = ["README.md", "docs/quickstart.md", "docs/install.md", "docs/architecture.md", "docs/python.md", "docs/pjrt.md", "docs/contributing.md", "docs/glossary.md",
              "docs/rationale/README.md", "CHANGELOG.md"]


def slug(heading, separator="-"):
    """The anchor of a heading, as GitHub makes it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", separator)


def anchors(text):
    seen, found = {}, set()
    for heading in HEADING.findall(FENCE.sub("", text)):
        name = slug(heading)
        count = seen.get(name, 0)
        seen[name] = count + 1
        found.add(f"{name}-{count}" if count else name)
    return found | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


def links(text):
    """Where a page points, with the number of the line. What stands in code is no link."""
    blanked = FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    blanked = CODE.sub(lambda match: re.sub(r"[^\n]", "x", match[0]), blanked)
    return [(match[1], blanked.count("\n", 0, match.start()) + 1) for match in LINK.finditer(blanked)]


def is_outside(link):
    return re.match(r"[a-z]+:", link) is not None


def resolve(page, link):
    """The file or folder of the repository that a link on `page` leads to, and the anchor."""
    path, _, anchor = link.partition("#")
    target = pathlib.Path(os.path.normpath((ROOT / page).parent / path)) if path else ROOT / page
    if target.is_dir() and (target / "README.md").exists():
        target = target / "README.md"
    return target, anchor


def pages():
    """The README, the changelog, what is under docs/, and every other page that one of them links to."""
    found = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for page in found:
        for link, _ in links(page.read_text(encoding="utf-8")):
            target, _ = resolve(page, link)
            if not is_outside(link) and target.suffix == ".md" and target.exists() and target not in found:
                found.append(target)
    return found


def check(found):
    """Prints each link that leads nowhere; returns how many there are."""
    texts = {page: page.read_text(encoding="utf-8") for page in found}
    wrong = 0
    for page, text in texts.items():
        for link, line in links(text):
            if is_outside(link):
                continue
            target, anchor = resolve(page, link)
            problem = None
            if not target.exists():
                problem = f"no file '{link}'"
            elif not target.is_relative_to(ROOT):
                problem = f"'{link}' is outside of the repository"
            elif anchor and target.suffix == ".md" and anchor not in anchors(texts.get(target) or target.read_text(encoding="utf-8")):
                problem = f"no heading for '{link}'"
            if problem:
                print(f"{page.relative_to(ROOT)}:{line}: error: {problem}")
                wrong += 1
    return wrong


def place(target, found):
    """Where a file of the repository is in the site, relative to it."""
    path = target.relative_to(ROOT)
    if target == ROOT / "README.md":
        return pathlib.Path("index.html")
    if target in found:
        return path.with_suffix(".html")
    return path / "index.html" if target.is_dir() else path


def frame(title, body, here):
    up = lambda page: os.path.relpath("index.html" if page == "README.md" else pathlib.Path(page).with_suffix(".html"), here.parent)
    entries = " · ".join(f'<a href="{up(page)}">{"Tessera" if page == "README.md" else pathlib.Path(page).parent.name if page.endswith("README.md") else pathlib.Path(page).stem.lower()}</a>'
                         for page in NAVIGATION)
    return (f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n<title>{html.escape(title)}</title>\n'
            f"<style>{STYLE}</style>\n<nav>{entries}</nav>\n{body}\n</html>\n")


def write_site(found, output):
    import markdown

    copied = set()
    for page in found:
        here = place(page, found)
        text = page.read_text(encoding="utf-8")

        def lead(match):
            link = html.unescape(match[2])
            if is_outside(link):
                return match[0]
            target, anchor = resolve(page, link)
            if target not in found:
                copied.add(target)
            path = os.path.relpath(place(target, found), here.parent) if link.partition("#")[0] else ""
            return f'{match[1]}="{html.escape(path + ("#" + anchor if anchor else ""))}"'

        # Python-Markdown counts headings of one name with _1, GitHub with -1.
        body = markdown.markdown(text, extensions=["tables", "fenced_code", "toc", "sane_lists"], extension_configs={"toc": {"slugify": slug}})
        body = re.sub(r'((?:<h\d id="|<a href="#)[^"]*)_(\d+")', r"\1-\2", body)
        body = re.sub(r'(href|src)="([^"]*)"', lead, body)
        title = HEADING.search(FENCE.sub("", text))
        path = output / here
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(frame(title[1] if title else here.stem, body, here), encoding="utf-8")
    for target in copied:
        path = output / place(target, found)
        path.parent.mkdir(parents=True, exist_ok=True)
        if target.is_dir():
            names = sorted(file.name + ("/" if file.is_dir() else "") for file in target.iterdir())
            body = "<h1>" + html.escape(str(target.relative_to(ROOT))) + "</h1>\n<ul>" + "".join(f"<li>{html.escape(name)}</li>" for name in names) + "</ul>"
            path.write_text(frame(target.name, body, place(target, found)), encoding="utf-8")
        else:
            shutil.copyfile(target, path)
    return len(found)


def dead_links(output):
    """The links of the site that lead nowhere in it."""
    dead = []
    for page in output.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for link in re.findall(r'(?:href|src)="([^"]*)"', text):
            path, _, anchor = html.unescape(link).partition("#")
            target = page.parent / path if path else page
            if not is_outside(link) and (not target.exists() or (
                    anchor and target.suffix == ".html" and f'id="{anchor}"' not in target.read_text(encoding="utf-8"))):
                dead.append(f"{page.relative_to(output)}: {link}")
    return dead


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=pathlib.Path, help="where the site goes")
    parser.add_argument("--check", action="store_true", help="only check the links")
    options = parser.parse_args()
    if bool(options.folder) == options.check:
        parser.error("expected either a folder or --check")
    found = pages()
    if wrong := check(found):
        sys.exit(f"{wrong} links lead nowhere")
    if options.folder:
        count = write_site(found, options.folder)
        if dead := dead_links(options.folder):
            sys.exit("\n".join(["error: links of the site lead nowhere", *dead]))
        print(f"{count} pages: {options.folder / 'index.html'}")


if __name__ == "__main__":
    main()
