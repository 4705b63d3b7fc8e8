"""The arithmetic behind one value: rank by rank, against another run, and if things were different."""
