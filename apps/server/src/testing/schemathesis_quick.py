"""Texts that are too long, without a search.

Schemathesis draws a text of more characters than a field may have one character at a time, and begins again whenever the
field's pattern does not like one: half of the time of its coverage phase. A character repeated breaks the same rule, and
only that one. Where no such text fits the pattern, schemathesis searches as before.
"""

import re

from schemathesis.specs.openapi.coverage import _schema

_search = _schema._generate_oversized_string
_understood = {"type", "pattern", "minLength", "maxLength", "description", "title", "default", "example", "examples"}


def _repeat(ctx, schema, length):
    if schema.keys() <= _understood:
        pattern = re.compile(schema.get("pattern", ""))
        for start in ("", "a@", "https://", "-----BEGIN CERTIFICATE-----"):
            for character in ("a", "0"):
                text = start + character * (length - len(start))
                if len(text) == length and pattern.search(text):
                    return text
    return _search(ctx, schema, length)


_schema._generate_oversized_string = _repeat
