"""RLlib as a learner: many tables in each of its workers, one policy for all seats that learn."""
