"""What both back ends share while a game runs: chance, faults, illegal moves. Standard library only."""
