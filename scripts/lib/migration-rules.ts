/**
 * The SQL statements that a migration must not contain. During a deployment and after a rollback,
 * the previous release runs on the new tables. So one release adds a column, and only a later
 * release drops the old column.
 */
const RULES: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^DROP TABLE (?:IF EXISTS )?(\S+)/i, "drops a table"],
  [/^ALTER TABLE (\S+) DROP /i, "drops a column"],
  [/^ALTER TABLE (\S+) RENAME /i, "renames"],
  [
    /^ALTER TABLE (\S+) ADD (?!.*\bDEFAULT\b).*\bNOT NULL\b/i,
    "adds a column that old code leaves out",
  ],
  [
    /^CREATE UNIQUE INDEX (?:IF NOT EXISTS )?\S+ ON ([^\s(]+)/i,
    "refuses rows that old code writes",
  ],
];

const COMMENT = /--.*$/gm;
const CREATED = /^CREATE TABLE (?:IF NOT EXISTS )?([^\s(]+)/i;

export interface Breach {
  readonly statement: string;
  readonly reason: string;
}

/**
 * Returns the statements of a migration that break the previous release. Statements about tables
 * that the same migration creates are exempt.
 */
export function breachesOf(sql: string): readonly Breach[] {
  const statements = sql
    .replaceAll(COMMENT, "")
    .split(";")
    .map((statement) => statement.replaceAll(/[`"']/g, "").replaceAll(/\s+/g, " ").trim());
  const created = new Set<string>();
  return statements.flatMap((statement) => {
    const own = CREATED.exec(statement)?.[1];
    if (own !== undefined) created.add(own);
    return RULES.flatMap(([pattern, reason]) => {
      const table = pattern.exec(statement)?.[1];
      return table === undefined || created.has(table) ? [] : [{ statement, reason }];
    });
  });
}
