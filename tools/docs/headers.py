# SPDX-License-Identifier: Apache-2.0
"""The C++ reference: every public declaration of a header with its contract, in the order of the header.

Doxygen reads the headers; what it found becomes directives of Sphinx's C++ and C domains.
"""

import re
import xml.etree.ElementTree as xml
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = {"operator==", "operator!="}
ESCAPED = re.compile(r"([*|\\]|(?<=\w)_(?=\W|$))")


INDEX = """\
# C++ and C

The public headers and what each declaration promises. `#include <bough/bough.hpp>` has everything that most
programs need. C programs, and programs that only load models and predict, include `bough/bough.h`.

| header | what is in it |
|---|---|"""


@dataclass
class Declaration:
    """One directive with its text and what is declared inside it."""

    directive: str
    signature: str
    line: int
    words: str = ""
    inside: list["Declaration"] = field(default_factory=list)

    def lines(self, indent: str = "") -> list[str]:
        out = [f"{indent}.. {self.directive}:: {self.signature}", ""]
        deeper = indent + "   "
        if self.words:
            out += [deeper + line for line in self.words.splitlines()] + [""]
        for declaration in sorted(self.inside, key=lambda d: d.line):
            out += declaration.lines(deeper)
        return out


def plain(element: xml.Element | None) -> str:
    """The text of an element without its marks."""
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def prose(element: xml.Element) -> str:
    """A paragraph as reStructuredText."""
    out = ESCAPED.sub(r"\\\1", element.text or "")
    for child in element:
        if child.tag == "computeroutput":
            out += f" ``{plain(child)}`` " if plain(child) else ""
        else:
            out += prose(child)
        out += ESCAPED.sub(r"\\\1", child.tail or "")
    return out


def described(element: xml.Element) -> str:
    texts = []
    for kind in ("briefdescription", "detaileddescription"):
        for paragraph in element.findall(f"{kind}/para"):
            text = " ".join(prose(paragraph).split())
            if text:
                texts.append(re.sub(r"`` (?=[.,;:)])", "``", text).replace("( ``", "(``"))
    return "\n\n".join(texts)


def line_of(element: xml.Element) -> int:
    return int(element.find("location").get("line"))


def squeezed(signature: str) -> str:
    return re.sub(r"\s+", " ", signature).replace("< ", "<").replace(" >", ">").strip()


def template_of(member: xml.Element) -> str:
    """What stands before the declaration of a template; nothing for other members."""
    parameters = member.findall("templateparamlist/param")
    if not parameters:
        return ""
    names = ", ".join(f"{plain(p.find('type'))} {p.findtext('declname', '')}".strip() for p in parameters)
    required = plain(member.find("requiresclause"))
    return f"template<{names}> " + (f"requires {required} " if required else "")


class Reader:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def compound(self, refid: str) -> xml.Element:
        return xml.parse(self.folder / f"{refid}.xml").getroot().find("compounddef")

    def member(self, member: xml.Element, domain: str) -> Declaration | None:
        kind, name = member.get("kind"), member.findtext("name")
        # A name_ is private, though doxygen calls the members of an unnamed union public.
        if name in LEFT_OUT or member.get("prot") != "public" or name.endswith("_"):
            return None
        kind_of_type, arguments = plain(member.find("type")), plain(member.find("argsstring"))
        where, words = line_of(member), described(member)
        if kind == "function":
            static = "static " if member.get("static") == "yes" else ""
            signature = f"{template_of(member)}{static}{kind_of_type} {name}{arguments}"
            return Declaration(f"{domain}:function", squeezed(signature), where, words)
        if kind == "variable":
            start = plain(member.find("initializer"))
            start = f" {start}" if start and len(start) < 40 and domain == "cpp" else ""
            return Declaration(
                f"{domain}:member", squeezed(f"{kind_of_type} {name}{arguments}{start}"), where, words
            )
        if kind == "typedef":
            signature = f"{name} = {kind_of_type}{arguments}" if domain == "cpp" else name
            return Declaration(f"{domain}:type", squeezed(signature), where, words)
        if kind == "define":
            return Declaration("c:macro", name, where, words) if words else None
        return self.enumeration(member, domain) if kind == "enum" else None

    def enumeration(self, member: xml.Element, domain: str) -> Declaration:
        strong = "-class" if member.get("strong") == "yes" else ""
        base = plain(member.find("type"))
        signature = member.findtext("name") + (f" : {base}" if base and domain == "cpp" else "")
        found = Declaration(f"{domain}:enum{strong}", signature, line_of(member), described(member))
        for i, value in enumerate(member.findall("enumvalue")):
            found.inside.append(
                Declaration(f"{domain}:enumerator", value.findtext("name"), i, described(value))
            )
        return found

    def type(self, refid: str, nested: bool = False) -> Declaration:
        compound = self.compound(refid)
        name = compound.findtext("compoundname").removeprefix("bough::")
        name = name.rpartition("::")[2] if nested else name
        kind = "class" if compound.get("kind") == "class" else "struct"
        bases = ", ".join(f"public {plain(base)}" for base in compound.findall("basecompoundref"))
        found = Declaration(
            f"cpp:{kind}", name + (f" : {bases}" if bases else ""), line_of(compound), described(compound)
        )
        members = (
            self.member(m, "cpp") for s in compound.findall("sectiondef") for m in s.findall("memberdef")
        )
        found.inside = [m for m in members if m is not None]
        for inner in compound.findall("innerclass"):
            if inner.get("prot") == "public":
                found.inside.append(self.type(inner.get("refid"), nested=True))
        return found

    def header(self, name: str) -> list[Declaration]:
        """What a header declares, in its order."""
        file_id = name.replace("_", "__").replace(".", "_8")
        page = self.compound(file_id)
        domain = "c" if name.endswith(".h") else "cpp"
        found = [self.member(m, domain) for s in page.findall("sectiondef") for m in s.findall("memberdef")]
        if domain == "cpp":
            for member in self.compound("namespacebough").iter("memberdef"):
                if Path(member.find("location").get("file")).name == name:
                    found.append(self.member(member, domain))
            for inner in page.findall("innerclass"):
                if (inner.text or "").count("::") == 1:
                    found.append(self.type(inner.get("refid")))
        known = sorted((d for d in found if d is not None), key=lambda d: (not d.inside, d.line))
        return sorted(unique(known), key=lambda d: d.line)


def unique(declarations):
    """Doxygen names what a header holds both for the file and for the namespace."""
    seen = set()
    for declaration in declarations:
        # `typedef enum x {...} x` declares one name, too.
        key = (
            declaration.signature
            if declaration.directive.startswith("c:")
            else (declaration.signature, declaration.line)
        )
        if key not in seen:
            seen.add(key)
            yield declaration


def headers() -> list[Path]:
    found = sorted((ROOT / "include/bough").glob("*.hpp"))
    return [h for h in found if h.name != "bough.hpp"] + [ROOT / "include/bough/bough.h"]


def sentence_of(header: Path) -> str:
    """What the second line of a header says it is."""
    line = header.read_text(encoding="utf-8").splitlines()[1]
    return re.sub(r"^(//|/\*)\s*|\s*\*/$", "", line)


def pages(doxygen: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    reader, names = Reader(doxygen), []
    index = [INDEX]
    for header in headers():
        page = header.name.replace(".", "_")
        names.append(page)
        index.append(f"| [`bough/{header.name}`]({page}.md) | {sentence_of(header)} |")
        lines = [f"# `bough/{header.name}`", "", sentence_of(header), "", "```{eval-rst}"]
        if header.suffix == ".hpp":
            lines += [".. cpp:namespace:: bough", ""]
        for declaration in reader.header(header.name):
            lines += declaration.lines()
        (out / f"{page}.md").write_text("\n".join([*lines, "```", ""]), encoding="utf-8")
    index += ["", "```{toctree}", ":hidden:", "", *names, "```", ""]
    (out / "index.md").write_text("\n".join(index), encoding="utf-8")
