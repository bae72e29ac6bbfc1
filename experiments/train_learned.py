r"""Train the networks of `learned`, from nothing but the rules and the agents that it plays with.

    T="python experiments/train_learned.py train"
    $T --players 4 --chunks 140 --seed 404000 --last-rate 2e-4 --out a.npy
    $T --players 4 --chunks 120 --seed 414000 --rate 2e-4 --last-rate 3e-5 --from a.npy --out b.npy
    $T --players 3 --chunks 60 --seed 403000 --rate 6e-4 --from a.npy --out h.npy
    $T --players 5 --chunks 90 --seed 405000 --rate 6e-4 --from a.npy --out c.npy
    $T --players 7 --chunks 110 --seed 407000 --rate 6e-4 --from a.npy --out d.npy
    $T --players 6 --chunks 90 --seed 406000 --rate 6e-4 --from d.npy --out i.npy
    $T --players 4 --chunks 40 --seed 514000 --rate 1e-4 --last-rate 2e-5 --taught 0.7 --from b.npy --out e.npy
    T="$T --spite 0.6"
    $T --players 4 --chunks 130 --seed 524000 --rate 2e-4 --last-rate 2e-5 --taught 0.7 --from e.npy --out f.npy
    T="$T --batches 4 --last-rate 3e-5"
    $T --players 4 --chunks 24 --averaged 16 --seed 534000 --rate 1e-4 --taught 0.6 --from f.npy --out k.npy
    $T --players 3 --chunks 22 --averaged 14 --seed 433000 --rate 1e-4 --taught 0.5 --batches 3 --from h.npy --out j.npy
    $T --players 5 --chunks 24 --averaged 16 --seed 435000 --rate 1e-4 --taught 0.5 --from c.npy --out 5.npy
    $T --players 6 --chunks 24 --averaged 16 --seed 436000 --rate 1e-4 --taught 0.5 --from i.npy --out 6.npy
    $T --players 7 --chunks 24 --averaged 16 --seed 437000 --rate 1e-4 --taught 0.5 --from d.npy --out g.npy
    $T --players 7 --chunks 36 --averaged 20 --seed 447000 --rate 2e-4 --last-rate 5e-5 --taught 0.5 --from g.npy \
        --out l.npy
    T="$T --rate 1e-4 --chunks 24 --averaged 16 --odd-seats 0.2"
    $T --players 3 --seed 443000 --taught 0.5 --from j.npy --out 3.npy
    $T --players 4 --seed 544000 --taught 0.6 --from k.npy --out 4.npy
    $T --players 7 --seed 457000 --taught 0.5 --from l.npy --out 7.npy
    python experiments/train_learned.py join 3.npy 4.npy 5.npy 6.npy 7.npy --out learned_weights.npy

These lines, with OMP_NUM_THREADS=1, made the weights in the package: more than two hours of one core. Further steps,
with more seats lent to `count-winners` and weights averaged, made `learned` stronger among `count-winners` by 0.08
points a round more than the others' mean at three and four players (3,000 sets), 0.04 at five, 0.02 at six and 0.03 at
seven (6,000 sets each); at seven, more chunks as before had bought nothing. The very last three, in which one seat in
five answers oddly at times and the others are met as they play, bought 0.048 +- 0.025 at three players, 0.029 +- 0.018
at four (3,000 sets each) and 0.020 +- 0.009 at seven (4,000).

Deep Monte Carlo (Zha et al., "DouZero", ICML 2021): rounds of all hand sizes are played, every answer is written down
with what came of it at the end of its round, two networks are fitted to that by least squares, one for bids and one for
cards, and play the next rounds. The first chunks of a training from nothing are played by `count-winners`. Results
differ from machine to machine in the last digits of what is fitted. Needs scikit-learn (the extra `train`).
"""

import argparse
import time
import warnings
from pathlib import Path
from typing import Any, Final

import numpy as np
from self_play import Examples, Learner, Manner, play_rounds
from sklearn.neural_network import MLPRegressor

from ohpshaw_agents import count_winners, learned
from ohpshaw_agents._learned_answers import ANSWER
from ohpshaw_agents._learned_net import FIRST, SECOND, SIZE
from ohpshaw_agents._learned_sight import STATE
from ohpshaw_sim.rules import Rules

WARM_UP: Final = 4
"""Chunks that `count-winners` plays when training begins from nothing."""
BATCHES: Final = (256, 1024)
"""Examples to a step, of bids and of cards."""


def train(asked: argparse.Namespace) -> None:
    """Train the two networks of one number of players; write them, float32[2 * SIZE], to a file after each chunk.

    In the end it is the mean of those of the last chunks that is written, if so asked: steps stray less in the mean.
    """
    players, chunks, seed = asked.players, asked.chunks, asked.seed
    schedule = Rules().schedule_for(players)[: asked.rounds]
    manner = Manner(asked.taught, 0.25, 0.04, asked.odd_seats)
    answers = players * sum(size + 1 for size in schedule)  # of a match
    learner = Learner(room=asked.batches * asked.matches * answers)
    start = None if asked.start is None else np.load(asked.start)
    weights = start
    earlier: tuple[Examples, Examples] | None = None
    mean, averaged = np.zeros(2 * SIZE), min(asked.averaged, chunks)
    for chunk in range(chunks):
        began = time.monotonic()
        warming = start is None and chunk < WARM_UP
        learner.begin(
            params_of(players, weights, asked.spite),
            Manner(1.0, 0.4, 0.08) if warming else manner,
            seed + chunk,
        )
        *examples, hits = play_rounds(learner, players, schedule, seed + chunk, asked.batches, asked.matches)
        rate = asked.rate * (asked.last_rate / asked.rate) ** (chunk / chunks)
        fitted = []
        for kind, each in enumerate(examples):
            old = None if weights is None else weights[kind * SIZE : (kind + 1) * SIZE]
            network = network_of(old, rate, BATCHES[kind], each)
            for _ in range(3 if warming else 2 - kind):
                network.partial_fit(each.inputs, each.outcomes)
            if earlier is not None:
                network.partial_fit(earlier[kind].inputs, earlier[kind].outcomes)
            fitted.append(weights_of(network))
        weights, earlier = np.concatenate(fitted), (examples[0], examples[1])
        if chunk >= chunks - averaged:
            mean += weights.astype(np.float64) / averaged
        done = chunk == chunks - 1 and averaged > 0
        np.save(asked.out, mean.astype(np.float32) if done else weights)
        print(
            f"chunk {chunk + 1} of {chunks}: {len(examples[0].inputs)} bids, {len(examples[1].inputs)} cards, "
            f"{hits:.4f} of the bids hit, odd ones included, {time.monotonic() - began:.0f} s",
            flush=True,
        )


def params_of(players: int, weights: Any, spite: float) -> Any:
    """Return the parameters of `learned` that hold these networks for one number of players, and none for others."""
    nets = np.zeros((5, 2 * SIZE), np.float32)
    if weights is not None:
        nets[players - 3] = weights
    return np.concatenate([[spite], count_winners.make_agent().params, learned.packed(nets.ravel())])


def network_of(weights: Any, rate: float, batch: int, examples: Examples) -> Any:
    """Return a network with these weights (None = drawn) that learns at a rate, so many examples to a step."""
    network = MLPRegressor(
        hidden_layer_sizes=(FIRST, SECOND), batch_size=64, alpha=1e-6, learning_rate_init=rate, random_state=1
    )
    network.partial_fit(examples.inputs[:64], examples.outcomes[:64])  # gives it its shapes
    network.batch_size = batch
    if weights is not None:
        rest = weights
        for place, own in _layers(network):
            own[place], rest = rest[: own[place].size].reshape(own[place].shape), rest[own[place].size :]
    return network


def weights_of(network: Any) -> Any:
    """Return the weights of a network in the order of `_learned_net`, float32[SIZE]."""
    return np.concatenate([own[place].ravel() for place, own in _layers(network)]).astype(np.float32)


def _layers(network: Any) -> list[tuple[slice, Any]]:
    """Return where each piece of a network's weights stands: rows of an array of scikit-learn's."""
    (first, second, last), whole = network.coefs_, slice(None)
    biases = network.intercepts_
    return [
        (slice(0, STATE), first),
        (whole, biases[0]),
        (slice(STATE, STATE + ANSWER), first),
        (whole, second),
        (whole, biases[1]),
        (whole, last),
        (whole, biases[2]),
    ]


def join(files: list[Path], out: Path) -> None:
    """Write the networks of 3, 4, ... players, one file each, as the one file that `learned` reads."""
    np.save(out, np.concatenate([np.load(file) for file in files]).astype(np.float32))


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    training = verbs.add_parser("train", help="train the networks of one number of players")
    training.add_argument("--players", type=int, choices=range(3, 8), required=True)
    training.add_argument("--chunks", type=int, default=160, help="times to play and learn")
    training.add_argument("--batches", type=int, default=1, help="batches of matches to a chunk")
    training.add_argument("--matches", type=int, default=1024, help="matches to a batch, 1,024 at most")
    training.add_argument("--rounds", type=int, help="rounds of a match: the first ones of the schedule")
    training.add_argument("--rate", type=float, default=1e-3, help="learning rate at first")
    training.add_argument("--last-rate", type=float, default=4e-5, help="and in the end")
    training.add_argument("--taught", type=float, default=0.25, help="share of seats lent to count-winners")
    training.add_argument("--odd-seats", type=float, default=1.0, help="share of seats that try odd answers")
    training.add_argument("--spite", type=float, default=0.1, help="of the learner, as of `learned`")
    training.add_argument("--averaged", type=int, default=0, help="last chunks whose weights are averaged")
    training.add_argument("--seed", type=int, default=1)
    training.add_argument("--from", dest="start", type=Path, help="weights to begin with")
    training.add_argument("--out", type=Path, required=True)
    joining = verbs.add_parser("join", help="put the networks of 3, 4, 5, 6, 7 players into one file")
    joining.add_argument("files", type=Path, nargs=5)
    joining.add_argument("--out", type=Path, default=learned.WEIGHTS_FILE)
    asked = parser.parse_args()
    if asked.verb == "join":
        join(asked.files, asked.out)
        return
    warnings.filterwarnings("ignore", message="Got `batch_size` less than 1 or larger")
    train(asked)


if __name__ == "__main__":
    main()
