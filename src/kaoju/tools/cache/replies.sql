CREATE TABLE IF NOT EXISTS replies (
    id INTEGER PRIMARY KEY,
    tool TEXT NOT NULL,
    version TEXT NOT NULL,
    rights TEXT NOT NULL,
    generation TEXT NOT NULL,
    arguments TEXT NOT NULL,
    question TEXT NOT NULL,
    asked_on TEXT NOT NULL,
    vector BLOB,
    outcome TEXT NOT NULL,
    created REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS replies_by_key ON replies (tool, version, rights, generation, arguments);
