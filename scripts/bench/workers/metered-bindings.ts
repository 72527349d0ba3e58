import { type Bindings, counts, type Method, type Origin } from "./counts.ts";

/** The size of a queue operation: a message costs one write, read and delete for each 64 KB. */
const OPERATION_BYTES = 64_000;

export const operationsOf = (body: unknown): number =>
  Math.ceil(new TextEncoder().encode(JSON.stringify(body)).length / OPERATION_BYTES);

interface Fetcher {
  fetch(url: string, init: unknown): Promise<Response>;
}

/** A D1 binding: its class, and the field with its connection. */
interface Database {
  readonly fetcher: Fetcher;
  readonly constructor: new (fetcher: Fetcher) => Database;
}

/** The result of a statement in a response of D1. */
interface StatementResult {
  readonly meta?: { readonly rows_read?: number; readonly rows_written?: number };
}

interface QueueMessage {
  readonly body: unknown;
}

/** Returns a platform object with some methods replaced. The other methods keep their `this`. */
function withMethods<T extends object>(
  target: T,
  replace: (name: string, method: Method) => Method | undefined,
): T {
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name, object);
      if (typeof value !== "function") return value;
      // `bind` would be the name of a remote method, if the object is the stub of a Durable Object.
      const method: Method = (...values) => Reflect.apply(value, object, values) as unknown;
      return typeof name === "string" ? (replace(name, method) ?? method) : method;
    },
  });
}

/** Returns a D1 binding that counts the statements in all responses of the database. */
function meteredDatabase(database: Database, origin: Origin): Database {
  const { fetcher } = database;
  return new database.constructor({
    fetch: async (url, init) => {
      const response = await fetcher.fetch(url, init);
      const text = await response.text();
      const parsed = JSON.parse(text) as StatementResult | readonly StatementResult[];
      for (const { meta } of [parsed].flat()) {
        counts[origin] += 1;
        counts.rowsRead += meta?.rows_read ?? 0;
        counts.rowsWritten += meta?.rows_written ?? 0;
      }
      return new Response(text, response);
    },
  });
}

/** Counts a message that is sent. Its deletion counts here, because it is deleted once. */
function countMessage({ body }: QueueMessage): void {
  counts.queueMessages += 1;
  counts.queueOperations += 2 * operationsOf(body);
}

const meteredQueue = (queue: object) =>
  withMethods(queue, (name, method) => {
    if (name === "send")
      return (body: never, ...options: never[]) => {
        countMessage({ body });
        return method(body, ...options);
      };
    if (name === "sendBatch")
      return (messages: Iterable<QueueMessage>, ...options: never[]) => {
        const all = [...messages];
        for (const message of all) countMessage(message);
        return method(all as never, ...options);
      };
    return undefined;
  });

const meteredStub = (stub: object) =>
  withMethods(stub, (_, method) => (...inputs: never[]) => {
    counts.objectRequests += 1;
    return method(...inputs);
  });

const meteredNamespace = (namespace: object) =>
  withMethods(namespace, (name, method) =>
    name === "get" || name === "getByName"
      ? (...values: never[]) => meteredStub(method(...values) as object)
      : undefined,
  );

const known = { requestStatements: new WeakMap(), jobStatements: new WeakMap() };

/** Returns the bindings, with those replaced that Cloudflare bills by use. */
export function metered(env: Bindings, origin: Origin): Bindings {
  const before = known[origin].get(env) as Bindings | undefined;
  if (before) return before;
  const bindings = Object.fromEntries(
    Object.entries(env).map(([name, binding]) => [name, meteredBinding(binding, origin)]),
  );
  known[origin].set(env, bindings);
  return bindings;
}

function meteredBinding(binding: object | string, origin: Origin): object | string {
  switch (binding.constructor.name) {
    case "D1Database":
      return meteredDatabase(binding as Database, origin);
    case "WorkerQueue":
      return meteredQueue(binding as object);
    case "DurableObjectNamespace":
      return meteredNamespace(binding as object);
    default:
      return binding;
  }
}
