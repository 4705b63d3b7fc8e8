"""From text to terms: the same words for every embedded engine, so that they differ in how they score only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cranfield.engines.parameters import choice, texts, yes_or_no
from cranfield.errors import MissingExtraError, ParameterError

if TYPE_CHECKING:
    import tantivy

WITHOUT_STOP_WORDS = ("arabic", "greek", "romanian", "tamil", "turkish")
"""Languages with a stemmer and no list of stop words."""

LANGUAGES = (
    *("arabic", "danish", "dutch", "english", "finnish", "french", "german", "greek", "hungarian", "italian"),
    *("norwegian", "portuguese", "romanian", "russian", "spanish", "swedish", "tamil", "turkish"),
)

LONGEST_WORD = 255
"""What is longer, in bytes of UTF-8, is no word (an encoded picture, a key) and is not indexed."""


class Analysis:
    """How texts are split into terms: at everything that is no letter or digit, in lower case, without stop words,
    each word cut down to its stem.

    >>> Analysis("english", stem=True, stop_words=True).analyser().analyze("The hottest soups, boiling!")
    ['hottest', 'soup', 'boil']
    >>> Analysis("german", stem=True, stop_words=["suppe"]).analyser().analyze("Die heißen Suppen")
    ['die', 'heiss', 'supp']
    """

    def __init__(self, language: str, *, stem: bool, stop_words: bool | Sequence[str]) -> None:
        self.language = choice("language", language, LANGUAGES)
        self.stem = yes_or_no("stem", stem)
        self.stop_words: bool | list[str] = stop_words if isinstance(stop_words, bool) else _own_list(stop_words)
        if stop_words is True and language in WITHOUT_STOP_WORDS:
            raise ParameterError(
                f"stop_words is true, and there is no list of stop words for {language}: give a list of words, or false"
            )

    def recorded(self) -> dict[str, object]:
        """The parameters as they are written down."""
        return {"language": self.language, "stem": self.stem, "stop_words": self.stop_words}

    def analyser(self) -> tantivy.TextAnalyzer:
        """What makes terms of a text."""
        need_tantivy("the analysis of text")
        import tantivy

        steps = [tantivy.Filter.remove_long(LONGEST_WORD + 1), tantivy.Filter.lowercase()]
        if isinstance(self.stop_words, list):
            steps.append(tantivy.Filter.custom_stopword([word.lower() for word in self.stop_words]))
        elif self.stop_words:
            steps.append(tantivy.Filter.stopword(self.language))
        if self.stem:
            steps.append(tantivy.Filter.stemmer(self.language))
        builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        for step in steps:
            builder = builder.filter(step)
        return builder.build()


def need_tantivy(what: str) -> None:
    """Where the library is missing, the command that installs it."""
    try:
        import tantivy  # noqa: F401
    except ImportError:
        raise MissingExtraError(what, "search") from None


def _own_list(stop_words: object) -> list[str]:
    if not isinstance(stop_words, Sequence) or isinstance(stop_words, str):
        raise ParameterError(f"stop_words is {stop_words!r}; expected true, false, or a list of words")
    return list(texts("stop_words", stop_words)) if stop_words else []
