"""A report as one page of HTML that needs nothing beside itself."""

from html import escape
from importlib import resources

from croupier.lab.report.document import Column, Document, Group, Item, Picture, Section, Table, Text
from croupier.lab.report.svg import inline_svg


def write_page(document: Document) -> str:
    """The whole page."""
    sections = [_section(section, number) for number, section in enumerate(document.sections, 1)]
    links = "".join(
        f'<a href="#part-{number}">{escape(section.title)}</a>'
        for number, section in enumerate(document.sections, 1)
    )
    facts = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in document.facts
    )
    style = (resources.files("croupier.lab.report") / "page.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(document.title)} · {escape(document.subtitle)}</title>\n"
        f"<style>\n{style}</style>\n</head>\n<body>\n<header><div>\n<h1>{escape(document.title)}</h1>\n<p>{escape(document.subtitle)}</p>\n"
        f'<dl class="facts">{facts}</dl>\n<nav aria-label="Contents">{links}</nav>\n</div></header>\n'
        f"<main>\n{''.join(sections)}</main>\n</body>\n</html>\n"
    )


def _section(section: Section, number: int) -> str:
    items = "".join(_item(item, f"f{number}-{place}") for place, item in enumerate(section.items))
    return f'<section id="part-{number}">\n<h2>{escape(section.title)}</h2>\n{items}</section>\n'


def _item(item: Item, name: str) -> str:
    if isinstance(item, Text):
        return f"<p>{escape(item.text)}</p>\n"
    if isinstance(item, Table):
        return _table(item)
    if isinstance(item, Picture):
        return _figure("picture", item.svg.strip(), item.caption)
    svg = inline_svg(item, name).replace("<svg", '<svg role="img" aria-hidden="true"', 1)
    return _figure("plot", svg, item.caption)


def _figure(kind: str, svg: str, caption: str) -> str:
    return f'<figure class="{kind}">\n{svg}\n<figcaption>{escape(caption)}</figcaption>\n</figure>\n'


def _table(table: Table) -> str:
    caption = f"<caption>{escape(table.caption)}</caption>" if table.caption else ""
    heads = "".join(
        f'<th scope="col"{_class(column)}>{escape(column.heading)}</th>' for column in table.columns
    )
    bodies = "".join(_group(group, table.columns) for group in table.groups)
    full = ' class="full"' if any(column.wraps for column in table.columns) else ""
    return (
        f'<div class="wide"><table{full}>{caption}<thead><tr>{heads}</tr></thead>\n{bodies}</table></div>\n'
    )


def _group(group: Group, columns: tuple[Column, ...]) -> str:
    head = ""
    if group.heading:
        note = f"<span>{escape(group.note)}</span>" if group.note else ""
        span = f'<th scope="rowgroup" colspan="{len(columns)}">{escape(group.heading)}{note}</th>'
        head = f'<tr class="group">{span}</tr>\n'
    rows = []
    for row in group.rows:
        cells = (
            f"<td{_class(column)}>{escape(cell)}</td>" for cell, column in zip(row, columns, strict=True)
        )
        rows.append(f"<tr>{''.join(cells)}</tr>\n")
    return f"<tbody>{head}{''.join(rows)}</tbody>\n"


def _class(column: Column) -> str:
    if column.wraps:
        return ' class="wraps"'
    return ' class="right"' if column.right else ""
