/* Uno for two players, written by hand in C. The same games as uno.py and the spec. */

#include <string.h>

#include "chance.h"

enum { CARDS = 108, WILD = 52, WILD_FOUR = 53, SKIP = 10, REVERSE = 11, DRAW_TWO = 12, NO_FACE = 13, DRAW = 60 };

typedef struct {
    int8_t stock[CARDS], played[CARDS], hands[2][CARDS];
    int left, gone, sizes[2];
    uint64_t chance;
} Table;

/* Take the top card of the stock, which the played cards replace when it is empty; -1 if there is none. */
static int drawn(Table *t)
{
    if (t->left == 0) {
        memcpy(t->stock, t->played, (size_t)t->gone);
        t->left = t->gone;
        t->gone = 0;
        t->chance = shuffle(t->chance, t->stock, t->left);
        if (t->left == 0)
            return -1;
    }
    return t->stock[--t->left];
}

static void serve(Table *t, int seat, int count)
{
    while (count-- > 0) {
        int card = drawn(t);
        if (card < 0)
            return;
        insert_card(t->hands[seat], &t->sizes[seat], (int8_t)card);
    }
}

static int64_t play(uint64_t chance, uint64_t choice, int64_t *scores)
{
    Table t = {.left = 0, .gone = 0, .sizes = {0, 0}, .chance = chance};
    int64_t decisions = 0;
    int seat = 0, colour, face, card;
    for (card = 0; card < WILD; card++)
        for (int copy = 0; copy < (card % 13 ? 2 : 1); copy++)
            t.stock[t.left++] = (int8_t)card;
    for (card = WILD; card <= WILD_FOUR; card++)
        for (int copy = 0; copy < 4; copy++)
            t.stock[t.left++] = (int8_t)card;
    t.chance = shuffle(t.chance, t.stock, CARDS);
    for (int i = 0; i < 14; i++)
        insert_card(t.hands[i % 2], &t.sizes[i % 2], t.stock[--t.left]);
    while (t.stock[t.left - 1] == WILD_FOUR)
        t.chance = shuffle(t.chance, t.stock, t.left);
    card = t.stock[--t.left];
    t.played[t.gone++] = (int8_t)card;
    if (card == WILD) {
        colour = pick(&t.chance, 4);
        face = NO_FACE;
    } else {
        colour = card / 13;
        face = card % 13;
        if (face == DRAW_TWO)
            serve(&t, 0, 2);
        else if (face == SKIP || face == REVERSE)
            seat = 1;
    }

    for (;;) {
        int8_t *hand = t.hands[seat], legal[CARDS + 4];
        int size = t.sizes[seat], count = 0, move, put = -1, served = 0, again = 0, wilds = 0, last = -1;
        for (int i = 0; i < size; i++) {
            card = hand[i];
            if (card == WILD)
                wilds = 1;
            else if (card != last && card < WILD && (card / 13 == colour || card % 13 == face))
                legal[count++] = (int8_t)card;
            last = card;
        }
        for (int k = 0; wilds && k < 4; k++)
            legal[count++] = (int8_t)(52 + k);
        if (count == 0) {
            if (size && hand[size - 1] == WILD_FOUR)
                for (int k = 0; k < 4; k++)
                    legal[count++] = (int8_t)(56 + k);
            else
                legal[count++] = DRAW;
        }
        move = legal[pick(&choice, count)];
        decisions++;

        if (move < 52) {
            put = move;
            remove_card(hand, &t.sizes[seat], (int8_t)put);
        } else if (move < DRAW) {
            card = move < 56 ? WILD : WILD_FOUR;
            remove_card(hand, &t.sizes[seat], (int8_t)card);
            t.played[t.gone++] = (int8_t)card;
            colour = move % 4;
            face = NO_FACE;
            served = card == WILD_FOUR ? 4 : 0;
        } else {
            card = drawn(&t);
            if (card >= WILD) {
                t.played[t.gone++] = (int8_t)card;
                colour = pick(&t.chance, 4);
                face = NO_FACE;
            } else if (card >= 0 && card / 13 == colour) {
                put = card;
            } else if (card >= 0) {
                insert_card(hand, &t.sizes[seat], (int8_t)card);
            }
        }
        if (put >= 0) {
            t.played[t.gone++] = (int8_t)put;
            colour = put / 13;
            face = put % 13;
            again = face == SKIP;
            served = face == DRAW_TWO ? 2 : 0;
        }
        if (served) {
            serve(&t, 1 - seat, served);
            again = 1;
        }
        if (t.sizes[seat] == 0)
            break;
        if (!again)
            seat = 1 - seat;
    }
    scores[0] = t.sizes[0];
    scores[1] = t.sizes[1];
    return decisions;
}

/* Play games `first` to `first + n - 1`; `out` gets the scores, the winner as a mask and the decisions of each. */
void playouts(int64_t n, uint64_t seed, int64_t first, int64_t *out)
{
    for (int64_t i = first; i < first + n; i++, out += 4) {
        out[3] = play(chance_of(seed, (uint64_t)i), choice_of(seed, (uint64_t)i), out);
        out[2] = out[0] < out[1] ? 1 : out[0] > out[1] ? 2 : 3;
    }
}
