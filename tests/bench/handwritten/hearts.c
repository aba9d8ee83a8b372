/* Hearts with passing, written by hand in C: a match to 100 points. The same games as hearts.py and the spec. */

#include "chance.h"

enum { TARGET = 100, QUEEN = 36, FIRST_HEART = 39 };

static const int TO[3] = {1, 3, 2};

static int points_of(int card)
{
    return card >= FIRST_HEART ? 1 : card == QUEEN ? 13 : 0;
}

static int64_t play(uint64_t chance, uint64_t choice, int64_t *scores)
{
    int64_t decisions = 0;
    int deals = 0, most = 0;
    for (int s = 0; s < 4; s++)
        scores[s] = 0;
    while (most < TARGET) {
        int8_t deck[52], hands[4][13], passed[4][3];
        int sizes[4] = {0, 0, 0, 0}, taken[4] = {0, 0, 0, 0}, leader = 0, broken = 0;
        for (int i = 0; i < 52; i++)
            deck[i] = (int8_t)i;
        chance = shuffle(chance, deck, 52);
        for (int i = 0; i < 52; i++)
            insert_card(hands[i % 4], &sizes[i % 4], deck[51 - i]);

        if (deals % 4 < 3) {
            for (int s = 0; s < 4; s++) {
                int i = pick(&choice, 11);
                int j = i + 1 + pick(&choice, 11 - i);
                int k = j + 1 + pick(&choice, 12 - j);
                passed[s][0] = hands[s][i];
                passed[s][1] = hands[s][j];
                passed[s][2] = hands[s][k];
                for (int x = 0; x < 3; x++)
                    remove_card(hands[s], &sizes[s], passed[s][x]);
            }
            for (int s = 0; s < 4; s++)
                for (int x = 0; x < 3; x++)
                    insert_card(hands[(s + TO[deals % 4]) % 4], &sizes[(s + TO[deals % 4]) % 4], passed[s][x]);
            decisions += 12;
        }

        while (hands[leader][0] != 0)
            leader++;
        for (int trick = 0; trick < 13; trick++) {
            int led = 0, best = 0, winner = leader, points = 0;
            for (int turn = 0; turn < 4; turn++) {
                int seat = (leader + turn) % 4, size = sizes[seat], count = 0, card;
                const int8_t *hand = hands[seat];
                int8_t legal[13];
                if (turn == 0) {
                    if (trick == 0)
                        legal[count++] = 0;
                    else if (!broken)
                        for (int i = 0; i < size && hand[i] < FIRST_HEART; i++)
                            legal[count++] = hand[i];
                } else {
                    for (int i = 0; i < size; i++)
                        if (hand[i] / 13 == led)
                            legal[count++] = hand[i];
                    if (count == 0 && trick == 0)
                        for (int i = 0; i < size; i++)
                            if (!points_of(hand[i]))
                                legal[count++] = hand[i];
                }
                card = count ? legal[pick(&choice, count)] : hand[pick(&choice, size)];
                remove_card(hands[seat], &sizes[seat], (int8_t)card);
                if (turn == 0) {
                    led = card / 13;
                    best = card;
                } else if (card / 13 == led && card > best) {
                    best = card;
                    winner = seat;
                }
                broken |= card >= FIRST_HEART;
                points += points_of(card);
            }
            taken[winner] += points;
            leader = winner;
        }
        decisions += 52;

        for (int s = 0; s < 4; s++) {
            if (taken[s] == 26) {
                for (int q = 0; q < 4; q++)
                    scores[q] += q == s ? 0 : 26;
            } else {
                scores[s] += taken[s];
            }
        }
        for (int s = 0; s < 4; s++)
            if (scores[s] > most)
                most = (int)scores[s];
        deals++;
    }
    return decisions;
}

/* Play games `first` to `first + n - 1`; `out` gets the scores, the winners as a mask and the decisions of each. */
void playouts(int64_t n, uint64_t seed, int64_t first, int64_t *out)
{
    for (int64_t i = first; i < first + n; i++, out += 6) {
        int64_t least;
        out[5] = play(chance_of(seed, (uint64_t)i), choice_of(seed, (uint64_t)i), out);
        least = out[0];
        for (int s = 1; s < 4; s++)
            least = out[s] < least ? out[s] : least;
        out[4] = 0;
        for (int s = 0; s < 4; s++)
            out[4] |= (int64_t)(out[s] == least) << s;
    }
}
