"""A language model as a bot: a prompt for each row, and a card from its answer."""

import hashlib
import json
import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from mindup_agents.llm.environment import BUDGET, RUN, Prices, Server, parse_budget
from mindup_agents.llm.kept_answers import KeptAnswer, KeptAnswers
from mindup_agents.llm.prompts import hand_of, parse_card, seat_prompt, system_prompt
from mindup_env.agent import FailedRowsError, OtherOption, StopRunError, check_act_arguments
from mindup_env.config import GameConfig
from mindup_env.settings.checks import check_int, suggestion
from mindup_env.settings.extras import require

if TYPE_CHECKING:  # openai is an extra
    from mindup_agents.llm.chat import ChatClient

SAMPLING = (
    "temperature",
    "top_p",
    "top_k",
    "min_p",
    "seed",
    "max_tokens",
    "max_completion_tokens",
    "reasoning_effort",
    "frequency_penalty",
    "presence_penalty",
)
"""Parameters of a request, which are sent as they are given."""

_OPTIONS = "model", "attempts", "concurrency", "timeout", "prices"
MOST_ATTEMPTS, MOST_CONCURRENT, LONGEST_TIMEOUT = 10, 64, 3600


Decision = tuple[bytes, int]
"""A row: what its seat sees, and its random bits, which tell games and decisions apart."""


class LanguageModel:
    """Asks a language model of any OpenAI-compatible server.

    Args:
        config: the game
        model: the model, by the name that the server has for it
        attempts: answers that the model may give to a question before it forfeits the game, 1 to 10
        concurrency: requests at a time, 1 to 64
        timeout: seconds that an answer may take, up to 3600
        prices: of a million tokens of input and of output, such as `2.5/10`
        run_folder: the folder in which requests and answers are kept
        sampling: parameters that are sent with each request, such as `temperature=0`
    """

    def __init__(
        self,
        config: GameConfig,
        *,
        model: str,
        attempts: int = 3,
        concurrency: int = 8,
        timeout: float = 300.0,
        prices: str = "",
        run_folder: Path | None = None,
        **sampling: OtherOption,
    ) -> None:
        require("a language model", "llm", "openai")
        self._config, self._rules = config, system_prompt(config)
        if not model.strip() or not model.isprintable():
            raise ValueError(f"model must be the name of a model, not {model!r}")
        self._model, self._sampling = model, _check_sampling(sampling)
        self._attempts = check_int("attempts", attempts, 1, MOST_ATTEMPTS)
        self._concurrency = check_int("concurrency", concurrency, 1, MOST_CONCURRENT)
        if not 0 < timeout <= LONGEST_TIMEOUT:
            raise ValueError(f"timeout must be above 0 and at most {LONGEST_TIMEOUT}: {timeout}")
        self._timeout = float(timeout)
        self._prices = Prices.parse(prices) if prices else None
        budget, run = os.environ.get(BUDGET), os.environ.get(RUN)
        self._budget = None if budget is None else parse_budget(budget)
        if self._budget is not None and self._prices is None:
            raise ValueError(
                f"a budget needs the prices of every model, such as llm:{model},prices=2.5/10 "
                "(0/0 if it is free)"
            )
        self._server = Server.from_environment()
        self._kept = KeptAnswers(run_folder, None if run is None else Path(run))
        self._lock = Lock()
        self._used: dict[str, KeptAnswer] = {}  # by the key of the request

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        check_act_arguments(self._config, observation, action_mask, episode_start, random_bits)
        # Rows that differ in nothing are one decision, as for any bot.
        rows = list(zip(map(bytes, observation), random_bits.tolist(), strict=True))
        different = list(dict.fromkeys(rows))
        found = dict(zip(different, self._choose_all(different), strict=True))
        chosen = [found[row] for row in rows]
        reasons = {index: card for index, card in enumerate(chosen) if isinstance(card, str)}
        actions = np.array([0 if isinstance(card, str) else card - 1 for card in chosen], np.int64)
        if reasons:
            raise FailedRowsError(actions, reasons)
        return actions

    def usage(self) -> dict[str, float]:
        """What the answers took that this bot used, sent now or kept before: totals so far."""
        with self._lock:
            used = list(self._used.values())
        totals: dict[str, float] = {"answers": len(used)}
        for name in KeptAnswer._fields[1:]:
            totals[name] = sum(getattr(answer, name) for answer in used)
        if self._prices is None:
            del totals["cost"]
        return totals

    def _choose_all(self, decisions: Sequence[Decision]) -> list[int | str]:
        """The card of each decision, or the reason why there is none."""
        from mindup_agents.llm.chat import ChatClient  # noqa: PLC0415  # openai is an extra

        stop = Event()
        failures: list[Exception] = []

        def choose(decision: Decision) -> int | str:
            try:
                return self._choose(decision, client)
            except Exception as error:
                failures.append(error)  # before the others fail because of it
                stop.set()
                raise

        chat = ChatClient(self._server, self._timeout, stop)
        with chat as client, ThreadPoolExecutor(self._concurrency) as pool:
            try:
                return list(pool.map(choose, decisions))
            except Exception:  # noqa: BLE001  # of any request; the first is the cause
                raise failures[0] from None
            finally:
                # Requests that were sent are paid for: their answers are still kept.
                stop.set()
                pool.shutdown(wait=False, cancel_futures=True)

    def _choose(self, decision: Decision, client: "ChatClient") -> int | str:
        observation, problem = np.frombuffer(decision[0], np.int8), None
        hand = hand_of(observation, self._config)
        for attempt in range(self._attempts):
            prompt = seat_prompt(observation, self._config, problem)
            answer = self._ask(prompt, decision[1], attempt, client)
            try:
                return parse_card(answer, hand)
            except ValueError as error:
                problem = str(error)
        return f"no valid answer in {self._attempts} attempts; of the last one, {problem}"

    def _ask(self, prompt: str, random_bits: int, attempt: int, client: "ChatClient") -> str:
        messages = [
            {"role": "system", "content": self._rules},
            {"role": "user", "content": prompt},
        ]
        body: dict[str, Any] = {"model": self._model, "messages": messages, **self._sampling}
        key = _key(body, random_bits, attempt)
        kept = self._kept.find(key)
        if kept is None:
            if self._budget is not None and self._kept.spent >= self._budget:
                raise StopRunError(
                    f"the budget of {self._budget:g} is spent ({self._kept.spent:.4f}): resume the "
                    "run with a larger one"
                )
            found = client.complete(body, lambda why: self._kept.keep_failure(key, body, why))
            tokens = found.prompt_tokens or 0, found.completion_tokens or 0
            cost = 0.0 if self._prices is None else self._prices.cost(*tokens)
            answer = KeptAnswer(found.text, *tokens, cost, found.seconds)
            kept = self._kept.keep(key, body, answer)
            if self._budget is not None and None in (found.prompt_tokens, found.completion_tokens):
                raise StopRunError(
                    f"{self._server.host} does not count tokens, so that no budget can be kept: "
                    f"resume the run without {BUDGET} or --budget"
                )
        with self._lock:
            self._used[key] = kept
        return kept.answer


def _key(body: dict[str, Any], random_bits: int, attempt: int) -> str:
    """What an answer depends on: the bot, the prompt, the game, the decision and the attempt."""
    named = json.dumps([body, random_bits, attempt], sort_keys=True)
    return hashlib.sha256(named.encode()).hexdigest()


def _check_sampling(sampling: dict[str, OtherOption]) -> dict[str, OtherOption]:
    for name, value in sampling.items():
        if name not in SAMPLING:
            available = suggestion(name, (*_OPTIONS, *SAMPLING))
            raise ValueError(f"a language model has no option {name!r}{available}")
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"{name} must be a finite number, not {value}")
    return sampling
