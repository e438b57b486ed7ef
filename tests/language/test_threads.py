"""Segmentation is asked from many threads at once: searches, ingestion, several runs."""

from concurrent.futures import ThreadPoolExecutor

import snowballstemmer

from kaoju.language.segment import tokens


def test_threads_never_mix_their_words() -> None:
    words = [a + b for a in ("nation", "relat", "connect", "publish", "govern", "character") for b in
             ("ing", "ed", "ions", "able", "ment", "ally", "ization", "ers", "ful", "ness") for _ in range(1)]  # fmt: skip
    words = [f"{word}{suffix}" for word in words for suffix in ("", "s", "ly", "ities", "ables", "ish")]
    stemmer = snowballstemmer.stemmer("english")
    expected = {word: stemmer.stemWord(word) for word in words}
    chunks = [words[i::16] for i in range(16)] * 4
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda some: [tokens(word) for word in some], chunks))
    assert found == [[[expected[word]] for word in some] for some in chunks]
