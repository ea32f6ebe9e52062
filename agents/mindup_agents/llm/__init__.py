"""The bot ``llm``: a language model behind any OpenAI-compatible endpoint.

- ``bot``: asks the model for each row, and forfeits the rows without a valid answer
- ``chat``: one request, sent again with growing pauses after a failure that may pass
- ``endpoint``: the address and the key, from the environment
- ``kept_answers``: all requests and answers of a run, so that none is paid for twice
- ``costs``: prices and the budget
"""

from mindup_agents.llm.bot import LanguageModel
from mindup_agents.llm.costs import BUDGET, budget_of_run

__all__ = ["BUDGET", "LanguageModel", "budget_of_run"]
