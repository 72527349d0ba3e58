import { UnavailableError } from "../../core/errors/unavailable-error.ts";
import type { DbSession, SqlClient } from "../../db/database.ts";
import type { QueryObserver } from "../runtime/metrics.ts";
import {
  checkedQuery,
  areResults,
  type ResponseCheck,
  isRaw,
  isResult,
  orUnavailable,
} from "./d1-response.ts";

/** The timeout of one database query (a statement or a batch), milliseconds. D1's own limit is 30 s. */
export const QUERY_TIMEOUT_MS = 10_000;

type Run = <T>(query: () => Promise<T>, isWellFormed: ResponseCheck) => Promise<T>;

/** Whether an SQL statement only reads. A statement that begins with another keyword counts as a write. */
const isRead = (sql: string): boolean => /^\s*SELECT\b/i.test(sql);

/**
 * The errors that D1's documentation calls transient: the connection to the database was lost, or
 * the database moved or restarted. A timeout and "D1 DB is overloaded" are not among them, because
 * a second query would add to the load.
 */
const TRANSIENT =
  /Network connection lost|caused object to be reset|reset because its code was updated|transient issue on remote node/;

const isTransient = (error: unknown): boolean =>
  error instanceof UnavailableError &&
  error.cause instanceof Error &&
  TRANSIENT.test(error.cause.message);

/**
 * Opens a D1 session. Its queries have a timeout, and their responses are checked. A query that
 * only reads is repeated once after a transient error. A failed query throws `UnavailableError`. A
 * violated constraint throws D1's own error.
 * @param from a bookmark, or a constraint of `withSession` such as `first-primary`
 * @param observe runs each query, and counts and times it
 * @param timeoutMs returns the timeout of the next query, milliseconds
 * @throws `UnavailableError` when D1 opens no session
 */
export function openSession(
  database: D1Database,
  from: string,
  observe: QueryObserver,
  timeoutMs: () => number = () => QUERY_TIMEOUT_MS,
): DbSession {
  const write: Run = (query, isWellFormed) =>
    observe(() => checkedQuery(timeoutMs(), query, isWellFormed));
  // Gives both queries together at most the timeout of the first.
  const read: Run = async (query, isWellFormed) => {
    const deadline = Date.now() + timeoutMs();
    const once = () =>
      observe(() => checkedQuery(Math.max(0, deadline - Date.now()), query, isWellFormed));
    try {
      return await once();
    } catch (error) {
      if (!isTransient(error)) throw error;
      return once();
    }
  };
  const session = orUnavailable(() => database.withSession(from));
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const reads = new WeakSet<D1PreparedStatement>();
  const checked = (original: D1PreparedStatement, run: Run): D1PreparedStatement => {
    const statement = checkedStatement(original, run, (bound) => checked(bound, run));
    originals.set(statement, original);
    if (run === read) reads.add(statement);
    return statement;
  };
  const batch: SqlClient["batch"] = (statements) => {
    const run = statements.every((one) => reads.has(one)) ? read : write;
    return run(
      () => session.batch(statements.map((one) => originals.get(one) ?? one)),
      areResults(statements.length),
    );
  };
  return {
    prepare: (sql) =>
      checked(
        orUnavailable(() => session.prepare(sql)),
        isRead(sql) ? read : write,
      ),
    batch,
    getBookmark: () => bookmarkOf(session),
  };
}

/**
 * Returns the bookmark of a D1 session. Returns null when D1 has no bookmark or throws, because a
 * response of the API is also correct without a bookmark.
 */
function bookmarkOf(session: DbSession): string | null {
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
    // Uses `all()` in place of `first()`, because the checks know the form of the response of
    // `all()`.
    first: async () => (await run(() => original.all(), isResult)).results[0] ?? null,
    run: () => run(() => original.run(), isResult),
    all: () => run(() => original.all(), isResult),
    raw: (...options: []) => run(() => original.raw(...options), isRaw),
  } as D1PreparedStatement;
}
