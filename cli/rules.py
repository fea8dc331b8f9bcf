"""``retrograd rules``"""
def add(c): pass
