"""A fit to measurements that other people's objects hold: their calls stay calls."""
# differentiate: misfit wrt p

import configparser
import json
import logging

CONFIG = configparser.ConfigParser()
CONFIG.read_string("[fit]\nridge = 0.25\n")
RECORDS = '[{"t": 0.0, "y": 1.0}, {"t": 1.0, "y": 2.5}, {"t": 2.0, "y": 3.5}]'
log = logging.getLogger("fit")


def misfit(p):
    total = CONFIG.getfloat("fit", "ridge") * (p[0] ** 2 + p[1] ** 2)
    for record in json.loads(RECORDS):
        total = total + (p[0] + p[1] * float(record["t"]) - float(record["y"])) ** 2
    log.info("misfit %g", total)
    return total


def arguments():
    import numpy as np

    return (np.array([0.5, 1.5]),)


# output
"""Derivative of `misfit` in calls_that_stay.py: reverse mode, with respect to p.

For arguments p: f8[p_0].

Written by retrograd 0.2.0 (source 9d7c73ed). Change the function, not this file.
"""

import json
import numpy as np
from retrograd import runtime as rt

RECORDS = '[{"t": 0.0, "y": 1.0}, {"t": 1.0, "y": 2.5}, {"t": 2.0, "y": 3.5}]'


def misfit_grad(p):
    # forward
    p_0 = p[0]
    p_1 = p[1]
    total_2 = p_0**2 + p_1**2
    getfloat = rt.snapshot(CONFIG.getfloat("fit", "ridge"))
    total = getfloat * total_2
    loads = json.loads(RECORDS)
    tape = []
    for record in loads:
        float_ = float(record["t"])
        difference = p_0 + p_1 * float_ - float(record["y"])
        power = difference**2
        tape.append((total, float_, difference, power))
        total = total + power
    log.info("misfit %g", total)
    rt.check_scalar(total)
    # backward
    total_bar = 1.0
    getitem_bar = getitem_bar_2 = 0.0
    for total, float_, difference, power in reversed(tape):
        # `total = total + (p[0] + p[1] * float(record['t']) - float(record['y'])) ** 2`
        total_bar_2 = rt.unbroadcast(total_bar, total)
        sub_bar = 2 * difference * rt.unbroadcast(total_bar, power)
        total_bar = total_bar_2
        getitem_bar = getitem_bar + sub_bar
        getitem_bar_2 = getitem_bar_2 + sub_bar * float_
    # `total = CONFIG.getfloat('fit', 'ridge') * (p[0] ** 2 + p[1] ** 2)`
    add_bar = rt.unbroadcast(getfloat * total_bar, total_2)
    p_bar = np.zeros(p.shape)
    p_bar[1] += getitem_bar_2 + 2 * p_1 * add_bar
    p_bar[0] += getitem_bar + 2 * p_0 * add_bar
    return p_bar
