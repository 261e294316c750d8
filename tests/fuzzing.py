"""What tests of hostile input share: messages with anything in them, bytes with something changed, budgets of examples.

In `make test` the examples are always the same ones and few, under `make soak` they are many and new each time.
A failure prints the example, and a `@reproduce_failure` line that repeats it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Final, TypeVar

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

SOAK: Final = os.environ.get("ARENA_SOAK") == "1"
M = TypeVar("M", bound=Message)

_RANGES: Final = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
    FieldDescriptor.CPPTYPE_ENUM: (-(2**31), 2**31 - 1),
}


def budget(examples: int, *, soak: int) -> Any:
    """So many examples, and so many under `make soak`."""
    return settings(
        max_examples=soak if SOAK else examples,
        derandomize=not SOAK,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


def numbers(low: int, high: int) -> st.SearchStrategy[int]:
    """Small numbers, the ends of the range, and any other."""
    return st.one_of(st.integers(max(low, -2), min(high, 20)), st.sampled_from((low, high)), st.integers(low, high))


texts: Final = st.one_of(
    st.text(max_size=8), st.sampled_from(("", "a", "draw-bridge", "x" * 3000, "\0\n\x1b[31m", "😀"))
)


def messages(kind: type[M], depth: int = 5) -> st.SearchStrategy[M]:
    """Messages of this kind with some of their fields set to anything."""
    return _fields(kind.DESCRIPTOR, depth).map(lambda values: _filled(kind(), values))


def _fields(descriptor: Descriptor, depth: int) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {},
        optional={field.name: _value(field, depth) for field in descriptor.fields if depth or not field.message_type},
    )


def _value(field: FieldDescriptor, depth: int) -> st.SearchStrategy[Any]:
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return st.dictionaries(texts, texts, max_size=3)
    one: st.SearchStrategy[Any]
    if field.message_type is not None:
        one = st.deferred(lambda: _fields(field.message_type, depth - 1))
    elif field.cpp_type in _RANGES:
        one = numbers(*_RANGES[field.cpp_type])
    elif field.type == FieldDescriptor.TYPE_BOOL:
        one = st.booleans()
    elif field.type == FieldDescriptor.TYPE_BYTES:
        one = st.one_of(st.binary(max_size=40), st.sampled_from((bytes(16), bytes(32))))
    else:
        one = texts
    return st.lists(one, max_size=4) if field.is_repeated else one


def _filled(message: M, values: dict[str, Any]) -> M:
    for name, value in values.items():
        field = message.DESCRIPTOR.fields_by_name[name]
        place = getattr(message, name)
        if field.message_type is None:
            if field.is_repeated:
                place.extend(value)
            else:
                setattr(message, name, value)
        elif field.message_type.GetOptions().map_entry:
            place.update(value)
        elif field.is_repeated:
            for each in value:
                _filled(place.add(), each)
        else:
            place.SetInParent()
            _filled(place, value)
    return message


changes: Final = st.lists(st.tuples(st.integers(0, 2**16), st.integers(0, 3), st.binary(max_size=4)), max_size=4)
"""What is done to bytes: at a place, overwrite, insert, remove or repeat."""


def changed(data: bytes, edits: Sequence[tuple[int, int, bytes]]) -> bytes:
    """The bytes after these changes."""
    for place, kind, new in edits:
        at = place % (len(data) + 1)
        match kind:
            case 0:
                data = data[:at] + new + data[at + len(new) :]
            case 1:
                data = data[:at] + new + data[at:]
            case 2:
                data = data[:at] + data[at + 1 + len(new) :]
            case _:
                data = data[:at] + data[at : at + 9] * 2 + data[at + 9 :]
    return data


def stranger_bytes(kind: type[Message]) -> st.SearchStrategy[bytes]:
    """What somebody may send in the place of such a message: one with anything in it, one with changes, mere bytes."""
    whole = messages(kind).map(lambda message: message.SerializeToString())
    return st.one_of(whole, st.builds(changed, whole, changes), st.binary(max_size=60))
