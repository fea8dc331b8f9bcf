"""The rules, a file per family; importing ``all_rules`` registers every one of them."""
