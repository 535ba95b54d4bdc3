"""For all tests: what hypothesis tries is the same in every run."""
from hypothesis import HealthCheck, settings

settings.register_profile("fixed", derandomize=True, deadline=None, database=None, max_examples=40,
                          suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
settings.load_profile("fixed")
