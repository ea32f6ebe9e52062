"""The bot ``llm``: a language model behind any OpenAI-compatible endpoint.

- ``bot``: asks the model for each row, and forfeits the rows without a valid answer
- ``chat``: one request, sent again with growing pauses after a failure that may pass
- ``environment``: the server, its key, prices and the budget
- ``kept_answers``: all requests and answers of a run, so that none is paid for twice
"""

from mindup_agents.llm.bot import LanguageModel
from mindup_agents.llm.environment import BUDGET, budget_of_run

__all__ = ["BUDGET", "LanguageModel", "budget_of_run"]
