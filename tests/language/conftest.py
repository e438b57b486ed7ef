"""Properties run without a deadline: the first Chinese text loads a dictionary."""

from hypothesis import settings

settings.register_profile("language", deadline=None, max_examples=100)
settings.load_profile("language")
