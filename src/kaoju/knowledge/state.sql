-- What a knowledge base knows about its files. Applied once to an empty database.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO meta VALUES ('generation', '0');
-- One row per file; `hash` is empty while its chunks are being written, so that a killed ingest is seen.
CREATE TABLE files (
    id TEXT PRIMARY KEY,          -- root and path, unique in the knowledge base
    root TEXT NOT NULL,           -- absolute folder that was ingested
    path TEXT NOT NULL,           -- relative to the root
    hash TEXT NOT NULL,
    chunks INTEGER NOT NULL DEFAULT 0,
    tables INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE documents (
    id TEXT PRIMARY KEY,
    file_id TEXT NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    title TEXT NOT NULL,
    date TEXT
);
CREATE INDEX documents_by_file ON documents (file_id);
-- The text that the offsets of a document's chunks count in; page 0 stands for "no pages".
CREATE TABLE pages (
    document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    page INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (document_id, page)
) WITHOUT ROWID;
-- Names under which chunks can be reached from the text of other chunks.
CREATE TABLE keys (
    key TEXT NOT NULL,
    chunk_id TEXT NOT NULL,
    document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    PRIMARY KEY (key, chunk_id)
) WITHOUT ROWID;
CREATE INDEX keys_by_document ON keys (document_id);
CREATE TABLE sql_tables (
    name TEXT PRIMARY KEY,
    document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    info TEXT NOT NULL            -- JSON of TableInfo
);
CREATE INDEX sql_tables_by_document ON sql_tables (document_id);
-- Vectors by content, kept when files go, so that moved and restored texts cost nothing.
CREATE TABLE vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID;
