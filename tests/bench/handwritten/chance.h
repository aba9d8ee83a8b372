/* The project's stream of chance (interpreter/hoyle/runtime/chance.py) on 64-bit numbers. */

#ifndef HANDWRITTEN_CHANCE_H
#define HANDWRITTEN_CHANCE_H

#include <stdint.h>

static const uint64_t MASK63 = (UINT64_C(1) << 63) - 1;

static inline uint64_t scramble(uint64_t value)
{
    value += UINT64_C(0x9E3779B97F4A7C15);
    value = (value ^ (value >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94D049BB133111EB);
    return value ^ (value >> 31);
}

/* The state of chance of game `number`, and the stream of its choices. */
static inline uint64_t chance_of(uint64_t seed, uint64_t number)
{
    uint64_t mixed = scramble(scramble(seed) + number) & MASK63;
    return scramble(mixed ^ UINT64_C(0x686F796C65)) & MASK63;
}

static inline uint64_t choice_of(uint64_t seed, uint64_t number)
{
    return scramble(scramble(scramble(seed) + number) + 1) & MASK63;
}

__extension__ typedef unsigned __int128 wide; /* a state times a count */

static inline uint64_t next_state(uint64_t state)
{
    return (state * UINT64_C(3512401965023503517) + UINT64_C(1442695040888963407)) & MASK63;
}

static inline int pick(uint64_t *state, int count)
{
    *state = next_state(*state);
    return (int)(((wide)*state * (uint64_t)count) >> 63);
}

static inline void swap_cards(int8_t *cards, int a, int b)
{
    int8_t kept = cards[a];
    cards[a] = cards[b];
    cards[b] = kept;
}

static inline uint64_t shuffle(uint64_t state, int8_t *cards, int count)
{
    int i = count;
    while (i > 4) {
        /* Four picks out of one step. */
        uint64_t a = i - 1, b = i - 2, c = i - 3, orders = (uint64_t)i * a * b * c, r;
        int fourth, third, j;
        state = next_state(state);
        r = (uint64_t)(((wide)state * orders) >> 63);
        fourth = (int)(r % c);
        r /= c;
        third = (int)(r % b);
        r /= b;
        j = (int)(r / a);
        swap_cards(cards, (int)a, j);
        swap_cards(cards, (int)b, (int)(r % a));
        swap_cards(cards, (int)c, third);
        swap_cards(cards, (int)c - 1, fourth);
        i -= 4;
    }
    if (i > 1) {
        wide r;
        state = next_state(state);
        r = state;
        while (i > 1) {
            r *= (uint64_t)i;
            i--;
            swap_cards(cards, i, (int)(r >> 63));
            r &= MASK63;
        }
    }
    return state;
}

static inline void insert_card(int8_t *cards, int *count, int8_t card)
{
    int at = (*count)++;
    while (at > 0 && cards[at - 1] > card) {
        cards[at] = cards[at - 1];
        at--;
    }
    cards[at] = card;
}

static inline void remove_card(int8_t *cards, int *count, int8_t card)
{
    int at = 0;
    while (cards[at] != card)
        at++;
    for (--*count; at < *count; at++)
        cards[at] = cards[at + 1];
}

#endif
