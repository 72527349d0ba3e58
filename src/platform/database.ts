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

/** The timeout of one query. D1 itself allows 30 s; the largest queries here take a second or two. */
export const QUERY_TIMEOUT_MS = 10_000;

/** Wraps every database query (a statement or a batch), to count and time it. */
export type QueryObserver = <T>(query: () => Promise<T>) => Promise<T>;

type Run = <T>(query: () => Promise<T>, isWellFormed: ResponseCheck) => Promise<T>;

/**
 * A session of D1 whose queries have a timeout and checked responses.
 * @param from a bookmark, or a constraint of `withSession` such as `first-primary`
 * @param observe wraps every query
 * @param timeoutMs is called for each query
 * @throws `UnavailableError`; for a violated constraint the error of D1
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

/** A response without a bookmark is still correct, so a fault here is ignored. */
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
