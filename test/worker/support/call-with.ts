import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker from "../../../src/worker.ts";
import { type Answer, type CallOptions, type Json, read, request } from "./client.ts";

/**
 * Called before each SQL statement or D1 batch runs. `count` is the number of statements. `values`
 * has the values bound to each statement. The hook may throw or wait.
 */
export type OnStatements = (
  count: number,
  values: readonly (readonly unknown[])[],
) => void | Promise<void>;

/** The real D1 database, which calls the hook before every SQL statement and every D1 batch. */
export function watchedDatabase(onStatements: OnStatements): D1Database {
  const watchStatement = (
    statement: D1PreparedStatement,
    bound: readonly unknown[] = [],
  ): D1PreparedStatement =>
    intercept(statement, (name, value) => {
      if (name === BOUND) return bound;
      if (name === "bind")
        return (...values: unknown[]) => watchStatement(statement.bind(...values), values);
      if (name === "first" || name === "all" || name === "raw" || name === "run")
        return async (...args: unknown[]) => {
          await onStatements(1, [bound]);
          return value.apply(statement, args);
        };
      return undefined;
    });
  const watchClient = <T extends object>(client: T): T =>
    intercept(client, (name, value) => {
      if (name === "withSession")
        return (...args: unknown[]) => watchClient(value.apply(client, args));
      if (name === "prepare") return (sql: string) => watchStatement(value.call(client, sql));
      if (name === "batch")
        return async (statements: D1PreparedStatement[]) => {
          const values = statements.map((one) => Reflect.get(one, BOUND) as readonly unknown[]);
          await onStatements(statements.length, values);
          return value.call(client, statements.map(unwrapped));
        };
      return undefined;
    });
  return watchClient(env.DB);
}

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
