"""A best answer in a small round once more, slowly and with nothing of the package: a recursion over what a seat sees.

Cards are numbers, 16 * suit + rank. A history is the tuple of bids, then of cards, in turn; seat 0 is eldest hand.
"""

from collections.abc import Callable, Sequence
from itertools import combinations

Hands = tuple[tuple[int, ...], ...]
History = tuple[int, ...]
Policy = Callable[[tuple[int, ...], History], Sequence[tuple[int, float]]]
"""The answers of a seat that holds these cards (those left), with their chances."""


def all_deals(cards: Sequence[int], players: int, hand_size: int) -> list[Hands]:
    if players == 0:
        return [()]
    return [
        (hand, *rest)
        for hand in combinations(cards, hand_size)
        for rest in all_deals([card for card in cards if card not in hand], players - 1, hand_size)
    ]


class Table:
    """One round after one turn-up; `trump` is its suit, -1 = none."""

    def __init__(self, cards: Sequence[int], players: int, hand_size: int, trump: int) -> None:
        self.players, self.hand_size, self.trump = players, hand_size, trump
        self.deals = all_deals(sorted(cards), players, hand_size)

    def winner(self, trick: Sequence[int]) -> int:
        """The place in the trick that wins it."""
        led = trick[0] >> 4
        power = [(card >> 4 == self.trump, card >> 4 == led, card & 15) for card in trick]
        return power.index(max(power))

    def turn(self, history: History) -> tuple[int, list[int]]:
        """The seat to act and the tricks won so far."""
        tricks = [0] * self.players
        if len(history) < self.players:
            return len(history), tricks
        played, leader = history[self.players :], 0
        for start in range(0, len(played) - self.players + 1, self.players):
            leader = (leader + self.winner(played[start : start + self.players])) % self.players
            tricks[leader] += 1
        return (leader + len(played) % self.players) % self.players, tricks

    def legal(self, dealt: tuple[int, ...], history: History) -> list[int]:
        if len(history) < self.players:
            return list(range(self.hand_size + 1))
        played = history[self.players :]
        left = [card for card in dealt if card not in played]
        on_table = len(played) % self.players
        if on_table:
            led = played[len(played) - on_table] >> 4
            return [card for card in left if card >> 4 == led] or left
        return left

    def over(self, history: History) -> bool:
        return len(history) == self.players * (1 + self.hand_size)

    def points(self, history: History, seat: int) -> int:
        bid, tricks = history[seat], self.turn(history)[1][seat]
        return 10 + bid if bid == tricks else 0

    def worth(
        self, deals: list[tuple[Hands, float]], history: History, seat: int, policies: list[Policy | None]
    ) -> float:
        """Points of a seat over deals in which it holds the same cards; None among policies = plays its best."""
        if not deals:
            return 0.0
        if self.over(history):
            return sum(weight for _, weight in deals) * self.points(history, seat)
        turn, _ = self.turn(history)
        policy = policies[turn]
        if policy is None:
            answers = self.legal(deals[0][0][turn], history)
            return max(self.worth(deals, (*history, answer), seat, policies) for answer in answers)
        after: dict[int, list[tuple[Hands, float]]] = {}
        for hands, weight in deals:
            legal = self.legal(hands[turn], history)
            for answer, chance in policy(tuple(legal), history):
                after.setdefault(answer, []).append((hands, weight * chance))
        return sum(self.worth(rest, (*history, answer), seat, policies) for answer, rest in after.items())

    def total(self, seat: int, policies: list[Policy | None]) -> float:
        """Points of a seat added up over all deals."""
        by_hand: dict[tuple[int, ...], list[tuple[Hands, float]]] = {}
        for hands in self.deals:
            by_hand.setdefault(hands[seat], []).append((hands, 1.0))
        return sum(self.worth(deals, (), seat, policies) for deals in by_hand.values())
