"""A short form of schemathesis' coverage phase, for everyday tests. The long form is the phase as it is.

Schemathesis breaks each rule of each field of each operation in every way that it knows, some ten thousand requests. Here
each operation meets every kind of wrong and of right value once, and each rule of a field, which most operations share with
others, is broken at the first of them. So is every fourth of the right values that differ from one another in one field.
"""

import zlib

import schemathesis
from schemathesis.generation import GenerationMode
from schemathesis.generation.meta import CoveragePhaseData

_seen: set[object] = set()


@schemathesis.hook
def filter_case(context, case):
    data = case.meta.phase.data if case.meta is not None else None
    if not isinstance(data, CoveragePhaseData):
        return True
    kind = (case.operation.label, data.scenario, data.parameter_location)
    # Methods are told apart by the words alone.
    if data.parameter is None:
        kind = (*kind, data.description)
    rule = (data.scenario, data.parameter_location, data.parameter, data.location, data.description)
    is_new = kind not in _seen or (rule not in _seen and (_is_wrong(case) or _is_fourth(rule)))
    _seen.update((kind, rule))
    return is_new


def _is_wrong(case):
    return case.meta.generation.mode == GenerationMode.NEGATIVE


def _is_fourth(rule):
    return zlib.crc32(repr(rule).encode()) % 4 == 0
