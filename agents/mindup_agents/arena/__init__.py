"""Who is better, and by how much: bots play the same deals in all seats, and are rated."""

from mindup_agents.arena.estimate import Estimate
from mindup_agents.arena.line_up import LineUpResults, play_line_up, win_share_against

__all__ = ["Estimate", "LineUpResults", "play_line_up", "win_share_against"]
