"""Playing in the terminal, one line at a time: what a module does when it is run."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from hoyle.runtime.chance import mix, pick
from hoyle.runtime.faults import Fault, IllegalMove, sort_of_fault
from hoyle.runtime.game import BaseGame
from hoyle.runtime.table import Table

CARDS_SHOWN = 12  # cards of a zone


def main(game: BaseGame) -> int:
    """Play a game against random bots, or count the winners of many random games; return the exit status."""
    parser = argparse.ArgumentParser(
        description=f"Play {game.name}. {game.text.splitlines()[0] if game.text else ''}"
    )
    parser.add_argument("--players", type=int, default=game.counts[0], help="how many play")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same game")
    parser.add_argument("--seat", type=int, default=1, help="your seat, counted from 1")
    parser.add_argument(
        "--games", type=int, default=0, help="play so many random games instead, and count who wins"
    )
    for setting in game.parameters.values():
        name = "--" + setting.name.replace("_", "-")
        parser.add_argument(name, dest=f"set_{setting.name}", default=setting.default, help=setting.domain)
    given = parser.parse_args()
    settings = {name: getattr(given, f"set_{name}") for name in game.parameters}
    try:
        if given.games:
            return count(game, given.games, given.players, given.seed, settings)
        return sit(game.start(given.players, given.seed, **settings), given.seat - 1, given.seed)
    except BrokenPipeError:
        # The reader has gone, as `head` does; Python must not complain of it on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, Fault) as wrong:
        print(wrong, file=sys.stderr)
        return 1
    except (EOFError, KeyboardInterrupt):
        print()
        return 0


def count(game: BaseGame, games: int, players: int, seed: int, settings: dict[str, Any]) -> int:
    """Play random games; print who won how often, and what became of games without an end. Return the exit status."""
    won = [0.0] * players
    stalled = 0
    broken: dict[str, list[Any]] = {}  # by what they have in common: words, how often
    for played in game.playouts(games, players, seed, **settings):
        for seat in played.winners:
            won[seat] += 1 / len(played.winners)
        stalled += played.outcome == "stalled"
        if played.outcome == "fault":
            broken.setdefault(sort_of_fault(played.fault), [played.fault, 0])[1] += 1
    for seat, wins in enumerate(won):
        print(f"player {seat + 1}: {wins:g} of {games}")
    if stalled:
        print(f"{_games(stalled)} did not end")
    for words, often in broken.values():
        print(f"{_games(often)} broke off with a fault of the rules: {words}")
    sys.stdout.flush()
    return 1 if broken else 0


def _games(number: int) -> str:
    return f"{number} game" + ("s" if number > 1 else "")


def sit(table: Table, seat: int, seed: int) -> int:
    """Let a person play one seat; random bots play the others."""
    told, choice = 0, mix(seed, 0, 1)
    while table.turn is not None:
        log = table.log(seat)
        for event in log[told:]:
            print(event["text"])
        told = len(log)
        moves = table.moves()
        if table.turn != seat:
            choice, which = pick(choice, len(moves))
            table.play(moves[which])
            continue
        show(table.view(seat))
        for place, move in enumerate(moves, 1):
            print(f"  {place}  {move}")
        typed = input("your move, or quit: ").strip()
        if typed in ("quit", "q"):
            return 0
        try:
            table.play(moves[int(typed) - 1] if typed.isdecimal() and 0 < int(typed) <= len(moves) else typed)
        except IllegalMove as wrong:
            why = table.why(typed)
            print(wrong if why.allowed else why)
    for event in table.log(seat)[told:]:
        print(event["text"])
    print("scores:", ", ".join(f"player {s + 1} {score}" for s, score in enumerate(table.scores)))
    print("won by", " and ".join(f"player {s + 1}" for s in table.winners) or "nobody")
    return 0


def show(view: dict[str, Any]) -> None:
    """Print zones and variables as a seat sees them."""
    for name, zone in view["zones"].items():
        piles = [z for each in _listed(zone) for z in _listed(each)]
        print(f"  {name}: {' | '.join(map(_shown, piles))}")
    for name, value in view["state"].items():
        values = [v + 1 if name in view["seats"] and isinstance(v, int) else v for v in _listed(value)]
        print(f"  {name}: {' | '.join(map(str, values))}")


def _shown(zone: dict[str, Any]) -> str:
    """Return what is seen of a zone: its first cards, and how many there are of those that nobody sees or are left."""
    cards = zone["cards"]
    if cards and not any(cards):
        return f"{len(cards)} unseen"
    more = [f"and {len(cards) - CARDS_SHOWN} more"] if len(cards) > CARDS_SHOWN else []
    return ", ".join([*(c or "?" for c in cards[:CARDS_SHOWN]), *more]) or "empty"


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
