#!/usr/bin/env python3
"""Writes manual pages and shell completions of the tools, from what their --help says.

Usage: generate-manuals.py --bin=FOLDER --lib=FOLDER -o FOLDER TOOL...
"""
import argparse
import pathlib
import re
import subprocess
from dataclasses import dataclass, field

# `  --mesh=<axis=size,...> - Mesh sizes` as LLVM's tools print it, `  --steps=N   run N times` as tessera-run does.
OPTION = re.compile(
    r"^ {2,8}(?P<flag>--?[A-Za-z][\w.-]*)(?P<value>\[?[= ](?:<[^>]*>|[A-Z.][\w,.=|\[\]-]*)\]?)?(?: +- *| {2,}|$)(?P<text>.*)$"
)
SWITCHES = re.compile(r"^ {2}--[\w-]+(?:, --[\w-]+)+$")
CHOICE = re.compile(r"^ {4,}=(?P<value>[^ ]+) +- +(?P<text>.*)$")
SWITCH_TEXTS = {"--help": "Display available options", "--version": "Display the version of this program"}


@dataclass
class Option:
    """A flag: its name with dashes, the name of its value (none: a switch), whether the value may be left out, what it says."""

    flag: str
    value: str = ""
    optional: bool = False
    text: str = ""
    choices: list = field(default_factory=list)


@dataclass
class Manual:
    """What a tool's --help says: one line on what it is for, its synopsis, and groups of (title, paragraphs, options)."""

    name: str
    purpose: str = ""
    synopsis: str = ""
    groups: list = field(default_factory=list)

    def options(self):
        return [option for _, _, options in self.groups for option in options]


def read_option(match):
    value = match["value"] or ""
    optional = value.startswith("[")
    value = value.removeprefix("[").removesuffix("]") if optional else value
    return Option(match["flag"], value.strip("= ").strip("<>"), optional, match["text"].strip())


def read_help(name, text):
    """The manual that `text`, a tool's --help, amounts to."""
    manual = Manual(name)
    title, paragraphs, options = "", [], []
    continued = ""  # what a deeper line goes on with: "option", "paragraph" or nothing
    lines = text.splitlines()
    for line, following in zip(lines, [*lines[1:], ""]):
        deeper = line.startswith("      ") and line.strip()
        if line.startswith("OVERVIEW: "):
            manual.purpose = line.removeprefix("OVERVIEW: ").strip()
        elif line.lower().startswith("usage: "):
            manual.synopsis = manual.synopsis or line[7:].strip()
        elif continued == "paragraph" and paragraphs[-1].endswith("\\"):
            paragraphs[-1] = paragraphs[-1].rstrip("\\") + line.strip()
        elif match := OPTION.match(line):
            options.append(read_option(match))
            continued = "option"
        elif SWITCHES.match(line):
            options += [Option(flag, text=SWITCH_TEXTS.get(flag, "")) for flag in line.strip().split(", ")]
        elif continued == "option" and (match := CHOICE.match(line)):
            options[-1].choices.append((match["value"], match["text"].strip()))
        elif continued == "option" and deeper and not options[-1].choices:
            options[-1].text = f"{options[-1].text} {line.strip().removeprefix('- ')}".strip()
        elif re.match(r"^[A-Z][^.]*:?$", line) and (line.endswith(":") or OPTION.match(following)):
            manual.groups.append((title, paragraphs, options))
            title, paragraphs, options, continued = line.rstrip(":"), [], [], ""
        elif line.strip():
            paragraphs.append(line.strip())
            continued = "paragraph"
    manual.groups.append((title, paragraphs, options))
    manual.purpose = manual.purpose or " ".join(manual.groups[0][1])
    return manual


# ---- manual pages ----


def troff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def manual_page(manual, version):
    first = manual.purpose.split(". ")[0].rstrip(".")
    out = [f'.TH {manual.name.upper()} 1 "" "Tessera {version}" "User Commands"']
    out += [".SH NAME", f"{troff(manual.name)} \\- {troff(first[:1].lower() + first[1:])}"]
    out += [".SH SYNOPSIS", f".B {troff(manual.synopsis or manual.name)}"]
    out += [".SH DESCRIPTION", troff(manual.purpose), ".SH OPTIONS"]
    for title, paragraphs, options in manual.groups:
        if not options:
            continue
        out.append(f'.SS "{troff(title or "Options")}"')
        for option in options:
            value = f"={option.value}" if option.value else ""
            out += [".TP", f".B {troff(option.flag + (f'[{value}]' if option.optional else value))}", troff(option.text)]
            for choice, text in option.choices:
                out += [".br", troff(f"{choice}: {text}")]
        for line in paragraphs:
            out += [".PP", f".B {troff(line)}" if manual.name in line else troff(line)]
    out += [".SH EXIT STATUS"]
    for status, meaning in EXIT_STATUS:
        out += [".TP", f".B {status}", meaning]
    out += [".SH SEE ALSO", ".BR tesserac (1), tessera\\-run (1), tessera\\-sim (1)"]
    return "\n".join(out) + "\n"


EXIT_STATUS = [
    (0, "done"),
    (1, "the command line, the input or the request is wrong"),
    (3, "values differ"),
    (4, "a rank or the system failed"),
]

# ---- completions ----


def output_of(tool, *arguments):
    return subprocess.run([tool, *arguments], capture_output=True, text=True, check=True).stdout


def known_values(bin_folder, lib_folder):
    """The words that values of flags are chosen from, asked of the tools themselves."""
    phases = re.findall(r"^\|[^|]*\| `([a-z]+)` \|", output_of(bin_folder / "tesserac", "--print-phases"), re.M)
    schedules = re.findall(r"^([a-z0-9][\w.-]*)", output_of(bin_folder / "tessera-sim", "--list"), re.MULTILINE)
    backends = sorted(file.stem.removeprefix("libtessera_backend_") for file in lib_folder.glob("libtessera_backend_*.so"))
    targets = re.findall(r"cuda:sm_\w+", output_of(bin_folder / "tesserac", "--help"))
    return {
        "--compile-from": phases,
        "--compile-to": phases,
        "--schedule": ["auto", *schedules],
        "--backend": backends,
        "--target": ["cpu", "cuda", *dict.fromkeys(targets)],
        "--emit": ["ptx"],
    }


def words_for(option, values):
    return [choice for choice, _ in option.choices] or values.get(option.flag, [])


def suffix_of(option):
    """The ending of the files that an option takes, as `.yaml`; "" for any file, none where it takes no file."""
    match = re.search(r"(?:^|\|)(?:file|dir|FILE|DIR)(\.\w+)?", option.value)
    return (match[1] or "") if match else None


def bash_completion(manual, values):
    function = "_" + manual.name.replace("-", "_")
    cases = []
    for option in manual.options():
        if words := words_for(option, values):
            cases.append(f'    {option.flag}) COMPREPLY=($(compgen -W "{" ".join(words)}" -- "$current")) ;;')
    flags = " ".join(option.flag + ("=" if option.value and not option.optional and option.flag.startswith("--") else "")
                     for option in manual.options())
    return f"""# bash completion of {manual.name}, generated from its --help
{function}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} flag=""
  if [[ $current == "=" ]]; then
    flag=${{COMP_WORDS[COMP_CWORD-1]}} current=""
  elif [[ ${{COMP_WORDS[COMP_CWORD-1]}} == "=" ]]; then
    flag=${{COMP_WORDS[COMP_CWORD-2]}}
  elif [[ $current != -* ]]; then
    flag=${{COMP_WORDS[COMP_CWORD-1]}}
  else
    COMPREPLY=($(compgen -W "{flags}" -- "$current"))
    [[ ${{COMPREPLY[0]-}} == *= ]] && compopt -o nospace 2>/dev/null
    return
  fi
  COMPREPLY=()
  case $flag in
{chr(10).join(cases)}
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}}
complete -o filenames -F {function} {manual.name}
"""


def quoted(text):
    return text.replace("'", "'\\''")


def zsh_completion(manual, values):
    specs = []
    for option in manual.options():
        text = re.sub(r"([\[\]:])", r"\\\1", quoted(option.text))
        spec = f"{option.flag}{'=-' if option.value and option.flag.startswith('--') else ''}[{text}]"
        if option.value:
            words, suffix = words_for(option, values), suffix_of(option)
            files = "_files" if not suffix else f'_files -g "*{suffix}"'
            action = f"({' '.join(word.replace(':', chr(92) + ':') for word in words)})" if words else files if suffix is not None else ""
            spec += f"{'::' if option.optional else ':'}{re.sub(r'([:])', r'', quoted(option.value))}:{action}"
        specs.append(f"  '{spec}'")
    return f"#compdef {manual.name}\n# generated from its --help\n_arguments \\\n" + " \\\n".join(specs) + " \\\n  '*:file:_files'\n"


def fish_completion(manual, values):
    lines = [f"# fish completion of {manual.name}, generated from its --help"]
    for option in manual.options():
        kind = "-l" if option.flag.startswith("--") else "-s" if len(option.flag) == 2 else "-o"
        line = f"complete -c {manual.name} {kind} {option.flag.lstrip('-')} -d '{option.text.replace(chr(92), chr(92) * 2).replace(chr(39), chr(92) + chr(39))}'"
        if option.value and not option.optional:
            words = words_for(option, values)
            line += f" -x -a '{' '.join(words)}'" if words else " -r" if suffix_of(option) is not None else " -x"
        lines.append(line)
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="the folder of the tools")
    parser.add_argument("--lib", type=pathlib.Path, required=True, help="the folder of the back ends")
    parser.add_argument("-o", dest="output", type=pathlib.Path, required=True, help="gets man1/, bash/, zsh/ and fish/")
    parser.add_argument("tools", nargs="+")
    options = parser.parse_args()
    version = output_of(options.bin / "tesserac", "--version").split()[-1]
    values = known_values(options.bin, options.lib)
    for tool in options.tools:
        manual = read_help(tool, output_of(options.bin / tool, "--help"))
        for file, text in (
            (f"man1/{tool}.1", manual_page(manual, version)),
            (f"bash/{tool}", bash_completion(manual, values)),
            (f"zsh/_{tool}", zsh_completion(manual, values)),
            (f"fish/{tool}.fish", fish_completion(manual, values)),
        ):
            path = options.output / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
