"""Games written by hand in plain Python from their rule sheets: what the interpreter is compared with."""
