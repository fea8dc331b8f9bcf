"""Containers of the module that are changed and read again: each program is right, or refused."""

from __future__ import annotations

import numpy as np
import pytest

import retrograd as rg
from retrograd.runtime.errors import RetrogradError
from tests.programs import module_writes, module_writes_indirect
from tests.programs.module_containers import reset

H = 1e-6
PROGRAMS = module_writes.PROGRAMS | module_writes_indirect.PROGRAMS
COMPILED = """summed length_twice made_an_array last_entry entry_before_and_after inserted set_added deque_summed
    through_helpers heap_pushed insorted nested nested_by_a_name bytes_appended deque_left greatest ordered_moved array_appended grown_in_a_loop
    grown_in_a_branch asked_for_membership asked_for_truth frozen_in_a_tuple copied sliced broadcast
    broadcast_active polynomial interpolated default_of_a_parameter closed_over method_by_a_name
    method_of_the_class index_asked only_read reversed_twice sorted_there helper_with_finally method_of_an_object
    attribute_of_an_object row_broadcast changed_in_try read_in_try while_it_is_short multiplied_in_a_loop
    written_as_text logged array_before_and_after read_in_an_inner_function rotated bumped_by_a_closure
    default_that_collects attribute_set counter_item counter_updated row_by_an_index dotted local_heap local_insort""".split()


pytestmark = pytest.mark.usefixtures("unchecked")


@pytest.fixture(autouse=True)
def as_they_were():
    reset()
    yield
    reset()


def slope(f):
    reset()
    above = f(0.7 + H)
    reset()
    below = f(0.7 - H)
    reset()
    return (above - below) / (2 * H)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", COMPILED)
def test_what_is_read_keeps_its_place(name):
    f = PROGRAMS[name]
    np.testing.assert_allclose(rg.grad(f)(0.7), slope(f), rtol=1e-6)


@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() - set(COMPILED)))
def test_or_it_is_refused(name):
    with pytest.raises(RetrogradError):
        rg.grad(PROGRAMS[name])(0.7)


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore::retrograd.runtime.errors.TapeWarning")
@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_decorated(name):
    f = PROGRAMS[name]
    np.testing.assert_allclose(rg.differentiate(f, fallback="tape").grad(0.7), slope(f), rtol=1e-6)


def test_methods_are_named_by_their_objects():
    """Two lists with one ``append`` each are two things in the text."""
    first, second = [1.0], [2.0]

    def f(x):
        first.append(3.0)
        second.append(4.0)
        total = sum(first) * x + 10 * sum(second) * x
        first.pop()
        second.pop()
        return total

    text = rg.differentiate(f).source("grad", 0.7)
    assert "first.append(3.0)" in text
    assert "second.append(4.0)" in text
    assert rg.grad(f)(0.7) == 64.0
