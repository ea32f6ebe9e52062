"""Who is better, and by how much: bots play the same deals in all seats, and are rated."""

from mindup_arena.estimate import Estimate
from mindup_arena.match import LineUpResults, play_line_up, win_share_against

__all__ = ["Estimate", "LineUpResults", "play_line_up", "win_share_against"]
