import type { Session, SqlClient } from "../db/database.ts";
import {
  answerOf,
  areResults,
  type Form,
  isFirst,
  isRaw,
  isResult,
  orUnavailable,
} from "./d1-response.ts";

/** D1 ends a query after 30 s, people leave sooner; the largest here take a second or two. */
export const QUESTION_BOUND_MS = 10_000;

/** Stands around every question to the database: a statement, or a batch of them. */
export type QueryObserver = <T>(ask: () => Promise<T>) => Promise<T>;

type Ask = <T>(question: () => Promise<T>, isAnswer: Form) => Promise<T>;

/**
 * A session of D1: at a bookmark, or at one of its constraints (`first-primary`). `around` gets
 * every question that goes through it, to count it; `bound` says how long it may take, milliseconds.
 * Errors: `UnavailableError`, and what a constraint refuses as D1 throws it.
 */
export function openSession(
  database: D1Database,
  from: string,
  around: QueryObserver,
  bound: () => number = () => QUESTION_BOUND_MS,
): Session {
  const ask: Ask = (question, isAnswer) => around(() => answerOf(bound(), question, isAnswer));
  const session = orUnavailable(() => database.withSession(from));
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const watched = (original: D1PreparedStatement): D1PreparedStatement => {
    const statement = watchedStatement(original, ask, watched);
    originals.set(statement, original);
    return statement;
  };
  const batch: SqlClient["batch"] = (statements) =>
    ask(
      () => session.batch(statements.map((one) => originals.get(one) ?? one)),
      areResults(statements.length),
    );
  return {
    prepare: (sql) => watched(orUnavailable(() => session.prepare(sql))),
    batch,
    getBookmark: () => bookmarkOf(session),
  };
}

/** Nobody fails for want of one. */
function bookmarkOf(session: Session): string | null {
  try {
    const bookmark: unknown = session.getBookmark();
    return typeof bookmark === "string" ? bookmark : null;
  } catch {
    return null;
  }
}

function watchedStatement(
  original: D1PreparedStatement,
  ask: Ask,
  watched: (bound: D1PreparedStatement) => D1PreparedStatement,
): D1PreparedStatement {
  return {
    bind: (...values: unknown[]) => watched(original.bind(...values)),
    first: (...column: []) => ask(() => original.first(...column), isFirst),
    run: () => ask(() => original.run(), isResult),
    all: () => ask(() => original.all(), isResult),
    raw: (...options: []) => ask(() => original.raw(...options), isRaw),
  } as D1PreparedStatement;
}
