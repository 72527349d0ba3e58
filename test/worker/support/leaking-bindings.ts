import { wrappedDatabase } from "./call-with.ts";

/** Test bindings whose calls fail with an error that repeats the arguments of the call. */

/** Creates the value that a binding throws. `known` has the arguments of the call as text. */
export type Leak = (known: string) => unknown;

/**
 * Creates an error with all values in its message, its stack and its cause: unchanged, as JSON and
 * URL-encoded.
 */
export const leak =
  (...given: readonly string[]): Leak =>
  (values) => {
    const words = [values, ...given];
    const text = [...words, JSON.stringify(words), ...words.map(encodeURIComponent)].join(" and ");
    return Object.assign(new Error(`D1_ERROR: near ${text}`, { cause: new TypeError(text) }), {
      stack: `Error: near ${text}\n    at D1Database (file:///app/${encodeURIComponent(text)}.js:1:2)`,
    });
  };

/** Creates a string with all values, which the binding throws instead of an error. */
export const leakText =
  (...given: readonly string[]): Leak =>
  (values) =>
    [values, ...given].join(" and ");

interface Failing {
  readonly reads: boolean;
  readonly batches: boolean;
  /** The number of D1 batches that succeed before the first one fails. */
  readonly after?: number;
}

/**
 * The real D1 database, whose single statements or batches fail with an error that contains all
 * values bound to them.
 */
export function leakingDatabase(failing: Failing, thrown: Leak): D1Database {
  let batches = 0;
  return wrappedDatabase(async (run, { isBatch, values }) => {
    if (isBatch) batches += 1;
    const fails = isBatch ? failing.batches && batches > (failing.after ?? 0) : failing.reads;
    if (!fails) return run();
    // oxlint-disable-next-line typescript/only-throw-error -- bindings are not bound to that
    throw thrown(values.flat().map(String).join(", "));
  });
}

/** A binding whose methods all fail with an error that contains their arguments. */
export function leakingBinding(thrown: Leak): unknown {
  const failing = async (...args: unknown[]) => {
    // oxlint-disable-next-line typescript/only-throw-error -- bindings are not bound to that
    throw thrown(JSON.stringify(args));
  };
  return new Proxy({}, { get: () => failing });
}
