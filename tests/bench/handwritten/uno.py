"""Uno for two players, written by hand.

A card is a number: for each colour 13 from the 0 to the 9, skip, reverse, draw two; then wild and wild draw four. With
two players a reverse is a card like any other, and who makes the other miss a turn goes on.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator

from handwritten import Result
from hoyle.runtime.chance import INCREMENT, MASK63, MULTIPLIER, mix, seeded, shuffle

WILD, WILD_FOUR = 52, 53
SKIP, REVERSE, DRAW_TWO, NO_FACE = 10, 11, 12, 13
COLOUR = [card // 13 for card in range(WILD)]
FACE = [card % 13 for card in range(WILD)]
NAMES_COLOUR, NAMES_COLOUR_FOUR, DRAW = 52, 56, 60  # moves; below them a card is put
DECK = (
    [card for card in range(WILD) for _ in range(1 if FACE[card] == 0 else 2)] + [WILD] * 4 + [WILD_FOUR] * 4
)


def play(chance: int, choice: int) -> Result:
    """Return a game of random choices: `chance` is the stream of the cards, `choice` that of the players."""
    stock = DECK[:]
    chance = shuffle(chance, stock)
    dealt = stock[:-15:-1]
    del stock[-14:]
    hands = [sorted(dealt[0::2]), sorted(dealt[1::2])]
    while stock[-1] == WILD_FOUR:
        chance = shuffle(chance, stock)
    card = stock.pop()
    played = [card]
    seat = decisions = 0
    if card == WILD:
        chance = (chance * MULTIPLIER + INCREMENT) & MASK63
        colour, face = chance * 4 >> 63, NO_FACE
    else:
        colour, face = COLOUR[card], FACE[card]
        if face == DRAW_TWO:
            hands[0] += stock[:-3:-1]
            hands[0].sort()
            del stock[-2:]
        elif face in (SKIP, REVERSE):
            seat = 1

    while True:
        hand = hands[seat]
        legal = []
        last = -1
        for card in hand:
            if card != last and card < WILD and (COLOUR[card] == colour or FACE[card] == face):
                legal.append(card)
            last = card
        if WILD in hand:
            legal += (NAMES_COLOUR, NAMES_COLOUR + 1, NAMES_COLOUR + 2, NAMES_COLOUR + 3)
        if not legal:
            if hand and hand[-1] == WILD_FOUR:
                legal = [
                    NAMES_COLOUR_FOUR,
                    NAMES_COLOUR_FOUR + 1,
                    NAMES_COLOUR_FOUR + 2,
                    NAMES_COLOUR_FOUR + 3,
                ]
            else:
                legal = [DRAW]
        choice = (choice * MULTIPLIER + INCREMENT) & MASK63
        move = legal[choice * len(legal) >> 63]
        decisions += 1

        again = False  # the same player has the next turn
        served = 0  # cards that the other player draws
        put = -1
        if move < NAMES_COLOUR:
            put = move
            hand.remove(put)
        elif move < NAMES_COLOUR_FOUR:
            hand.remove(WILD)
            played.append(WILD)
            colour, face = move - NAMES_COLOUR, NO_FACE
        elif move < DRAW:
            hand.remove(WILD_FOUR)
            played.append(WILD_FOUR)
            colour, face = move - NAMES_COLOUR_FOUR, NO_FACE
            served = 4
        else:
            if not stock:
                stock, played = played, stock
                chance = shuffle(chance, stock)
            if stock:
                card = stock.pop()
                if card >= WILD:
                    played.append(card)
                    chance = (chance * MULTIPLIER + INCREMENT) & MASK63
                    colour, face = chance * 4 >> 63, NO_FACE
                elif COLOUR[card] == colour:
                    put = card
                else:
                    insort(hand, card)
        if put >= 0:
            played.append(put)
            colour, face = COLOUR[put], FACE[put]
            if face == SKIP:
                again = True
            elif face == DRAW_TWO:
                served = 2
        if served:
            other = hands[1 - seat]
            for _ in range(served):
                if not stock:
                    stock, played = played, stock
                    chance = shuffle(chance, stock)
                    if not stock:
                        break
                other.append(stock.pop())
            other.sort()
            again = True
        if not hand:
            return Result((len(hands[0]), len(hands[1])), (seat,), decisions)
        if not again:
            seat = 1 - seat


def playouts(n: int, seed: int = 0) -> Iterator[Result]:
    """Yield n games, the same as `playouts` of the spec."""
    return (play(seeded(mix(seed, i)), mix(seed, i, 1)) for i in range(n))
