"""Every run tries the same examples, and none fails because the machine is busy."""

import hypothesis

hypothesis.settings.register_profile(
    "suite",
    derandomize=True,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("suite")
