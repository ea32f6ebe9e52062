"""Training with Stable-Baselines3 and sb3-contrib."""
