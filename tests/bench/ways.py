"""Ways of playing a game at random: our own by several doors, OpenSpiel, RLCard, and what is written by hand.

OpenSpiel and RLCard are no dependencies: a way that can't be had here is left out, and it is said why.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from handwritten import hearts, native, uno
from hoyle import __version__
from hoyle.compile import compile_program
from hoyle.compile.passes import Pass
from hoyle.program import Program
from measuring import Way

INTERPRETER, WORDS, STEPPING, PLAYOUTS, METHODS = "interpreter", "words", "stepping", "playouts", "methods"
BY_HAND, IN_C, OPENSPIEL, HURRIED, RLCARD = "by hand", "C", "OpenSpiel", "hurried", "RLCard"
COLUMNS = (INTERPRETER, WORDS, STEPPING, METHODS, PLAYOUTS, BY_HAND, IN_C, OPENSPIEL, HURRIED, RLCARD)

# As near to our specs as their parameters allow: the queen of spades does not break hearts, the stock is refilled.
SPIEL = {
    "crazy_eights": "crazy_eights(players=5,max_draw_cards=5,max_turns=10000,reshuffle=true)",
    "hearts": "hearts(pass_cards=true,qs_breaks_hearts=false)",
    "kuhn_poker": "kuhn_poker",
    "leduc_poker": "leduc_poker",
}
TERMINAL, CHANCE = -4, -1  # OpenSpiel's players that are none


class Missing(NamedTuple):
    """A way that can't be had here, and why."""

    way: str
    why: str


def module(program: Program, *without: Pass) -> Any:
    """Return the game of the module of a program, made in this process, perhaps without some passes."""
    text = compile_program(program, __version__, alone=False, without=frozenset(without))
    names: dict[str, Any] = {"__name__": f"bench_{program.source_hash}"}
    exec(compile(text, program.path, "exec"), names)
    return names["game"]


def playouts(game: Any, players: int) -> Way:
    """Play games in one go, as simulations do."""

    def way(games: int, seed: int) -> int:
        return sum([x.decisions for x in game.playouts(games, players=players, seed=seed)])

    return way


def methods(game: Any, players: int) -> Way:
    """Play games in one go by a module of its own, that has to do without the function of all rules."""
    game.rules(players, {}).run = None
    return playouts(game, players)


def stepping(game: Any, players: int) -> Way:
    """Play games move by move, on numbers alone; every move is checked."""

    def way(games: int, seed: int) -> int:
        choose, decisions = random.Random(seed).random, 0
        for number in range(games):
            table = game.start(players=players, seed=(seed << 32) + number)
            legal, step = table.legal, table.step
            while table.turn is not None:
                numbers = legal()
                step(numbers[int(choose() * len(numbers))])
            decisions += table.decisions
        return decisions

    return way


def words(game: Any, players: int) -> Way:
    """Play games move by move, with the words of every move."""

    def way(games: int, seed: int) -> int:
        choose, decisions = random.Random(seed).random, 0
        for number in range(games):
            table = game.start(players=players, seed=(seed << 32) + number)
            while table.turn is not None:
                moves = table.moves()
                table.play(moves[int(choose() * len(moves))])
            decisions += table.decisions
        return decisions

    return way


def by_hand(play: Callable[[int, int], Any]) -> Way:
    """Play games by a function that is written by hand."""
    return lambda games, seed: sum([x.decisions for x in play(games, seed)])


HANDWRITTEN: dict[str, Way] = {"hearts": by_hand(hearts.playouts), "uno": by_hand(uno.playouts)}


def in_c(name: str) -> Way:
    """Play games by a function that is written by hand in C."""
    return lambda games, seed: native.decisions(name, games, seed)


def spiel(name: str) -> Way | Missing:
    """Play games of OpenSpiel's move by move from Python, as its documentation does: chance by `chance_outcomes`.

    All outcomes of chance in these games are as likely as each other, so one is drawn as moves are.
    """
    try:
        game = import_module("pyspiel").load_game(SPIEL[name])
    except ImportError:
        return Missing(OPENSPIEL, "not installed; it comes with the extra [rl]")

    def way(games: int, seed: int) -> int:
        choose, decisions = random.Random(seed).random, 0
        for _ in range(games):
            state = game.new_initial_state()
            legal, apply, whose, outcomes = (
                state.legal_actions,
                state.apply_action,
                state.current_player,
                state.chance_outcomes,
            )
            while (player := whose()) != TERMINAL:
                if player == CHANCE:
                    found = outcomes()
                    apply(found[int(choose() * len(found))][0])
                else:
                    actions = legal()
                    apply(actions[int(choose() * len(actions))])
                    decisions += 1
        return decisions

    return way


def spiel_hurried(name: str) -> Way | Missing:
    """Play the same by one who knows that all chance is even, and asks for the numbers of its outcomes alone."""
    try:
        game = import_module("pyspiel").load_game(SPIEL[name])
    except ImportError:
        return Missing(OPENSPIEL, "not installed; it comes with the extra [rl]")

    def way(games: int, seed: int) -> int:
        choose, decisions = random.Random(seed).random, 0
        for _ in range(games):
            state = game.new_initial_state()
            legal, apply, whose = state.legal_actions, state.apply_action, state.current_player
            while (player := whose()) != TERMINAL:
                actions = legal()
                apply(actions[int(choose() * len(actions))])
                if player != CHANCE:
                    decisions += 1
        return decisions

    return way


def rlcard() -> Way | Missing:
    """Play RLCard's raw game of Uno, without its runner; it hands out the legal moves with every state."""
    try:
        raw = import_module("rlcard.games.uno.game").UnoGame
    except ImportError:
        return Missing(RLCARD, "not installed; it is optional: pip install rlcard")
    game = raw(num_players=2)

    def way(games: int, seed: int) -> int:
        choose, decisions = random.Random(seed).random, 0
        game.np_random.seed(seed)
        for _ in range(games):
            state, _player = game.init_game()
            while not game.round.is_over:
                actions = state["legal_actions"]
                state, _player = game.step(actions[int(choose() * len(actions))])
                decisions += 1
        return decisions

    return way


def rivals(name: str) -> tuple[dict[str, Way], list[Missing]]:
    """Return the ways to play a game that are not ours, and those that can't be had here."""
    found: dict[str, Way | Missing] = {}
    if name in HANDWRITTEN:
        found[BY_HAND] = HANDWRITTEN[name]
        found[IN_C] = in_c(name) if native.compiler() else Missing(IN_C, "there is no C compiler")
    if name in SPIEL:
        found[OPENSPIEL], found[HURRIED] = spiel(name), spiel_hurried(name)
    if name == "uno":
        found[RLCARD] = rlcard()
    missing = [x for x in found.values() if isinstance(x, Missing)]
    return {way: x for way, x in found.items() if not isinstance(x, Missing)}, missing
