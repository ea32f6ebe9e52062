"""TextArena: games played by text, written as samples that a language model can be trained on.

``python textarena_games.py --games 20 --out samples.jsonl`` plays with random answers. A model of
an OpenAI-compatible server plays the first seat with ``--model NAME``; its address and key are in
OPENAI_BASE_URL and OPENAI_API_KEY. Each line of the file is a decision: the prompt, the answer and
the reward of its game.
"""

import argparse
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import textarena

import mindup_env.textarena  # noqa: F401  # registers MindUp-v0

PLAYERS, SEAT = 4, 0

Answer = Callable[[str], str]


def answer_randomly(prompt: str) -> str:
    """Any card of the hand, which the prompt lists at its end."""
    (held,) = re.findall(r"You hold (.*)\. Which card", prompt)
    return f"card {random.choice(held.split(', ')).split()[0]}"


def model_at(name: str) -> Answer:
    from openai import OpenAI  # noqa: PLC0415  # for a model alone

    client = OpenAI()

    def answer(prompt: str) -> str:
        reply = client.chat.completions.create(
            model=name, messages=[{"role": "user", "content": prompt}]
        )
        return reply.choices[0].message.content or ""

    return answer


def play(answers: list[Answer], seed: int) -> tuple[list[dict[str, Any]], float]:
    """The decisions of a seat in one game, and its reward."""
    env = textarena.make("MindUp-v0", reward="win+0.02*margin")
    env.reset(num_players=len(answers), seed=seed)
    samples, done = [], False
    while not done:
        seat, prompt = env.get_observation()
        answer = answers[seat](prompt)
        if seat == SEAT:
            samples.append({"game": seed, "prompt": prompt, "answer": answer})
        done, _ = env.step(answer)
    rewards, _ = env.close()
    return [{**sample, "reward": rewards[SEAT]} for sample in samples], rewards[SEAT]


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--model", metavar="NAME")
    parser.add_argument("--out", type=Path, metavar="FILE")
    given = parser.parse_args(words)
    random.seed(0)
    answers: list[Answer] = [answer_randomly] * PLAYERS
    if given.model:
        answers[SEAT] = model_at(given.model)
    lines, rewards = [], []
    for seed in range(given.games):
        samples, reward = play(answers, seed)
        lines += [json.dumps(sample) + "\n" for sample in samples]
        rewards.append(reward)
    if given.out:
        given.out.write_text("".join(lines), encoding="utf-8")
    mean = sum(rewards) / len(rewards)
    print(f"{len(lines)} decisions; mean reward of seat {SEAT}: {mean:.3f}")


if __name__ == "__main__":
    main()
