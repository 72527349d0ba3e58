import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker from "../../../src/worker.ts";
import { type Answer, type CallOptions, type Json, read, request } from "./client.ts";

/** One call of the database: a single statement, or a D1 batch. */
interface DatabaseCall {
  readonly isBatch: boolean;
  /** The values bound to each statement. */
  readonly values: readonly (readonly unknown[])[];
}

/** Runs a call of the database with `run`, or replaces its effect. */
type Around = (run: () => Promise<unknown>, call: DatabaseCall) => Promise<unknown>;

/** The real D1 database, each call of which goes through `around`. */
export function wrappedDatabase(around: Around): D1Database {
  const statement = (
    original: D1PreparedStatement,
    bound: readonly unknown[] = [],
  ): D1PreparedStatement =>
    intercept(original, (name, value) => {
      if (name === BOUND) return bound;
      if (name === "bind")
        return (...values: unknown[]) => statement(original.bind(...values), values);
      if (name === "first" || name === "all" || name === "raw" || name === "run")
        return async (...args: unknown[]) =>
          around(() => value.apply(original, args), { isBatch: false, values: [bound] });
      return undefined;
    });
  const client = <T extends object>(original: T): T =>
    intercept(original, (name, value) => {
      if (name === "withSession")
        return (...args: unknown[]) => client(value.apply(original, args));
      if (name === "prepare") return (sql: string) => statement(value.call(original, sql));
      if (name === "batch")
        return async (statements: D1PreparedStatement[]) => {
          const values = statements.map((one) => Reflect.get(one, BOUND) as readonly unknown[]);
          const run = () => value.call(original, statements.map(unwrapped));
          return around(run, { isBatch: true, values });
        };
      return undefined;
    });
  return client(env.DB);
}

/**
 * The real D1 database, which calls the hook before each statement or D1 batch runs. `count` is the
 * number of statements. `values` has the values bound to each statement. The hook may throw or wait.
 */
export const watchedDatabase = (
  onStatements: (count: number, values: DatabaseCall["values"]) => void | Promise<void>,
): D1Database =>
  wrappedDatabase(async (run, { values }) => {
    await onStatements(values.length, values);
    return run();
  });

const ORIGINAL = Symbol("original");
const BOUND = Symbol("bound");

const unwrapped = <T extends object>(wrapped: T): T =>
  (Reflect.get(wrapped, ORIGINAL) as T | undefined) ?? wrapped;

export function intercept<T extends object>(
  target: T,
  replace: (name: string | symbol, value: Json) => unknown,
): T {
  return new Proxy(target, {
    get(original, name) {
      if (name === ORIGINAL) return original;
      const value: unknown = Reflect.get(original, name);
      const replaced = replace(name, value);
      if (replaced !== undefined) return replaced;
      return typeof value === "function" ? value.bind(original) : value;
    },
  });
}

/**
 * Sends a request to the Worker with some of its bindings and settings replaced. `rest` waits for
 * the work that the Worker does after the response.
 */
export async function responseWith<T = Json>(
  replaced: Partial<Env>,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<{ answer: Answer<T>; rest: () => Promise<void> }> {
  return responseIn<T>({ ...env, ...replaced }, method, path, options);
}

async function responseIn<T>(
  isolate: Env,
  method: string,
  path: string,
  options: CallOptions,
): Promise<{ answer: Answer<T>; rest: () => Promise<void> }> {
  const context = createExecutionContext();
  const response = await worker.fetch(request(method, path, options), isolate, context);
  return {
    answer: await read<T>(method, path, response),
    rest: () => waitOnExecutionContext(context),
  };
}

/**
 * Sends a request to the Worker with some of its bindings and settings replaced, and waits for the
 * work that the Worker does after the response.
 */
export async function callWith<T = Json>(
  replaced: Partial<Env>,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer<T>> {
  const { answer, rest } = await responseWith<T>(replaced, method, path, options);
  await rest();
  return answer;
}

/**
 * Sends a request to the Worker with the given environment, as to one isolate: requests with the
 * same object share what the Worker keeps for an isolate.
 */
export async function callIn<T = Json>(
  isolate: Env,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer<T>> {
  const { answer, rest } = await responseIn<T>(isolate, method, path, options);
  await rest();
  return answer;
}
