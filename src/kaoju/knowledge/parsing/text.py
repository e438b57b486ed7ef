"""Plain text files."""

from __future__ import annotations

from collections.abc import Iterator

from kaoju.knowledge.parsing.compose import Composer
from kaoju.knowledge.parsing.encoding import decode
from kaoju.knowledge.parsing.faults import fault
from kaoju.knowledge.parsing.paragraphs import add_text
from kaoju.knowledge.parsing.source import Source
from kaoju.model.document import Document


def read(source: Source) -> Iterator[Document]:
    """Yield the one document of a text file; its title is the file's name."""
    decoded = decode(source.path.read_bytes(), source.path)
    composer = Composer()
    add_text(composer, decoded.text)
    if not composer.blocks:
        raise fault("no_text", source.path)
    yield Document(id=source.document_id, title=source.path.stem, blocks=composer.blocks, notes=decoded.notes)
