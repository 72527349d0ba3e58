import type { Session, SqlClient } from "../db/database.ts";
import {
  checkedQuery,
  areResults,
  type ResponseCheck,
  isFirst,
  isRaw,
  isResult,
  orUnavailable,
} from "./d1-response.ts";

/**
 * The timeout of one database query (a statement or a batch), milliseconds. D1's own limit is 30 s.
 */
export const QUERY_TIMEOUT_MS = 10_000;

/** A function that runs each database query (a statement or a batch), to count and time it. */
export type QueryObserver = <T>(query: () => Promise<T>) => Promise<T>;

type Run = <T>(query: () => Promise<T>, isWellFormed: ResponseCheck) => Promise<T>;

/**
 * Opens a D1 session whose queries have a timeout and checked responses. The queries throw
 * `UnavailableError`; for a violated constraint, D1's own error.
 * @param from a bookmark, or a constraint of `withSession` such as `first-primary`
 * @param observe runs each query
 * @param timeoutMs returns the timeout of the next query, milliseconds
 * @throws `UnavailableError` when D1 opens no session
 */
export function openSession(
  database: D1Database,
  from: string,
  observe: QueryObserver,
  timeoutMs: () => number = () => QUERY_TIMEOUT_MS,
): Session {
  const run: Run = (query, isWellFormed) =>
    observe(() => checkedQuery(timeoutMs(), query, isWellFormed));
  const session = orUnavailable(() => database.withSession(from));
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const checked = (original: D1PreparedStatement): D1PreparedStatement => {
    const statement = checkedStatement(original, run, checked);
    originals.set(statement, original);
    return statement;
  };
  const batch: SqlClient["batch"] = (statements) =>
    run(
      () => session.batch(statements.map((one) => originals.get(one) ?? one)),
      areResults(statements.length),
    );
  return {
    prepare: (sql) => checked(orUnavailable(() => session.prepare(sql))),
    batch,
    getBookmark: () => bookmarkOf(session),
  };
}

/**
 * Returns the bookmark of a D1 session; null when D1 returns none or throws. That error is ignored,
 * because a response of the API without a bookmark is still correct.
 */
function bookmarkOf(session: Session): string | null {
  try {
    const bookmark: unknown = session.getBookmark();
    return typeof bookmark === "string" ? bookmark : null;
  } catch {
    return null;
  }
}

function checkedStatement(
  original: D1PreparedStatement,
  run: Run,
  checked: (bound: D1PreparedStatement) => D1PreparedStatement,
): D1PreparedStatement {
  return {
    bind: (...values: unknown[]) => checked(original.bind(...values)),
    first: (...column: []) => run(() => original.first(...column), isFirst),
    run: () => run(() => original.run(), isResult),
    all: () => run(() => original.all(), isResult),
    raw: (...options: []) => run(() => original.raw(...options), isRaw),
  } as D1PreparedStatement;
}
