"""Learners of policies; they need the extra ``[train]``.

- ``train``: MaskablePPO of Stable-Baselines3 against bots; its parts are ``settings``,
  ``games``, ``sb3`` and ``evaluation``; ``exploit`` trains best responses
- ``ppo``: PPO by self-play in one file
- ``network``: the network, by what ``seen`` reads, with ``probabilities`` and ``head``;
  ``any_network``: what learners ask of one; ``policy_file`` writes it
- ``run``: command line, folder and checkpoints; ``torch_setup``: how PyTorch uses the processor
- ``champion``: makes the networks of the bot champion; ``distil``: a policy learns from search;
  ``fitting``: the passes of both over their data
"""

from mindup_env.checks import require

require(
    "a training",
    "train",
    *("matplotlib", "onnxscript", "sb3_contrib", "scipy", "tensorboard", "torch", "tqdm"),
    "tyro",
)
