"""Who is better, and by how much: bots play the same deals in all seats, and are rated."""

from mindup_arena.estimate import Estimate
from mindup_arena.match import MatchResults, play_match, win_share_against

__all__ = ["Estimate", "MatchResults", "play_match", "win_share_against"]
