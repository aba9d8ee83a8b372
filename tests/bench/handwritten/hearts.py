"""Hearts with passing, written by hand: a match to 100 points.

A card is a number: clubs from 0, diamonds from 13, spades from 26, hearts from 39, each from the two to the ace.
"""

from __future__ import annotations

from collections.abc import Iterator

from handwritten import Result
from hoyle.runtime.chance import INCREMENT, MASK63, MULTIPLIER, mix, seeded, shuffle

TARGET = 100
SUIT = [card // 13 for card in range(52)]
POINTS = [0] * 36 + [13] + [0] * 2 + [1] * 13
HEARTS, FIRST_HEART, TWO_OF_CLUBS = 3, 39, 0
TO = (1, 3, 2)  # how many seats to the left one passes, in the first three of four deals


def play(chance: int, choice: int) -> Result:
    """Return a game of random choices: `chance` is the stream of the deals, `choice` that of the players."""
    scores = [0, 0, 0, 0]
    decisions = deals = 0
    while max(scores) < TARGET:
        deck = list(range(52))
        chance = shuffle(chance, deck)
        deck.reverse()
        hands = [sorted(deck[seat::4]) for seat in range(4)]

        if deals % 4 < 3:
            passed = []
            for hand in hands:
                # Three places, rising: two cards must be left after the first, one after the second.
                choice = (choice * MULTIPLIER + INCREMENT) & MASK63
                i = choice * 11 >> 63
                choice = (choice * MULTIPLIER + INCREMENT) & MASK63
                j = i + 1 + (choice * (11 - i) >> 63)
                choice = (choice * MULTIPLIER + INCREMENT) & MASK63
                k = j + 1 + (choice * (12 - j) >> 63)
                passed.append((hand.pop(k), hand.pop(j), hand.pop(i)))
            for seat in range(4):
                hand = hands[(seat + TO[deals % 4]) % 4]
                hand += passed[seat]
                hand.sort()
            decisions += 12

        for leader in range(4):
            if hands[leader][0] == TWO_OF_CLUBS:
                break
        broken = False
        taken = [0, 0, 0, 0]
        for trick in range(13):
            hand = hands[leader]
            if trick == 0:
                legal = [TWO_OF_CLUBS]
            elif broken:
                legal = hand
            else:
                legal = [c for c in hand if c < FIRST_HEART] or hand
            choice = (choice * MULTIPLIER + INCREMENT) & MASK63
            best = legal[choice * len(legal) >> 63]
            hand.remove(best)
            led = SUIT[best]
            if led == HEARTS:
                broken = True
            points = POINTS[best]
            winner = leader
            for seat in (leader + 1, leader + 2, leader + 3):
                seat %= 4
                hand = hands[seat]
                legal = [c for c in hand if SUIT[c] == led]
                if not legal:
                    legal = hand if trick else [c for c in hand if not POINTS[c]] or hand
                choice = (choice * MULTIPLIER + INCREMENT) & MASK63
                card = legal[choice * len(legal) >> 63]
                hand.remove(card)
                points += POINTS[card]
                suit = SUIT[card]
                if suit == led:
                    if card > best:
                        best, winner = card, seat
                elif suit == HEARTS:
                    broken = True
            taken[winner] += points
            leader = winner
        decisions += 52

        if 26 in taken:
            shooter = taken.index(26)
            for seat in range(4):
                scores[seat] += 26 if seat != shooter else 0
        else:
            for seat in range(4):
                scores[seat] += taken[seat]
        deals += 1
    least = min(scores)
    return Result(tuple(scores), tuple([s for s in range(4) if scores[s] == least]), decisions)


def playouts(n: int, seed: int = 0) -> Iterator[Result]:
    """Yield n games, the same as `playouts` of the spec."""
    return (play(seeded(mix(seed, i)), mix(seed, i, 1)) for i in range(n))
