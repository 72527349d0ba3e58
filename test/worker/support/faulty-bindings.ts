import { env } from "cloudflare:workers";
import { intercept, wrappedDatabase } from "./call-with.ts";

/** How the calls of a binding fail, for example those of the database. */
export type Fault =
  /** How many of the first calls fail. If undefined, every call fails. */
  | { readonly mode: "fail"; readonly error?: unknown; readonly times?: number }
  | { readonly mode: "hang" }
  | { readonly mode: "slow"; readonly ms: number }
  /** The call takes effect, but returns this value instead of its result. */
  | { readonly mode: "garbage"; readonly value: unknown }
  /** The call takes effect, but its response is lost. */
  | { readonly mode: "lose answer" };

export const fail: Fault = { mode: "fail" };
export const hang: Fault = { mode: "hang" };
export const slow = (ms: number): Fault => ({ mode: "slow", ms });
export const garbage = (value: unknown): Fault => ({ mode: "garbage", value });
export const loseAnswer: Fault = { mode: "lose answer" };

/** Values that a broken database might return. */
export const MALFORMED: Readonly<Record<string, unknown>> = {
  undefined,
  NaN: Number.NaN,
  "an HTML page": "<html><body>502 Bad Gateway</body></html>",
  "an empty object": {},
  "an empty list": [],
  "a list that is too long": Array.from({ length: 9 }, () => ({ success: true, results: [] })),
  "results that are not a list": { success: true, results: "none" },
  "rows without columns": [{ results: [{}] }, { results: [{}] }, { results: [{}] }, []],
  "values of wrong types": { id: "1", keyType: "ROOT", environmentId: {}, revision: Number.NaN },
};

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A switch that turns a fault of one binding on and off while requests run. */
export class Switch {
  fault: Fault | undefined;
  /** The number of calls that were made while a fault was switched on. */
  met = 0;

  async through<T>(effect: () => Promise<T>): Promise<T> {
    const { fault } = this;
    if (!fault) return effect();
    this.met += 1;
    if (fault.mode === "fail") {
      if (fault.times === this.met) this.fault = undefined;
      throw fault.error ?? new Error("D1_ERROR: the dependency is down");
    }
    if (fault.mode === "hang") return new Promise<never>(() => {});
    if (fault.mode === "slow") await sleep(fault.ms);
    const answer = await effect();
    if (fault.mode === "garbage") return fault.value as T;
    if (fault.mode === "lose answer") throw new Error("D1_ERROR: Network connection lost.");
    return answer;
  }
}

type Call = (...args: unknown[]) => Promise<unknown>;

/** Wraps a binding. The switch decides whether calls of the given methods fail. */
const faulty = <T extends object>(binding: T, methods: readonly string[], at: Switch): T =>
  intercept(binding, (name, value) =>
    methods.includes(String(name))
      ? (...args: unknown[]) => at.through(() => (value as Call).apply(binding, args))
      : undefined,
  );

/**
 * The D1 database with two fault switches. `at` is for single statements, which the service uses to
 * read. `batches` is for D1 batches, which the service uses for all writes.
 */
export const faultyDatabase = (at: Switch, batches: Switch): D1Database =>
  wrappedDatabase((run, { isBatch }) => (isBatch ? batches : at).through(run));

function faultyObjects<T extends Rpc.DurableObjectBranded | undefined>(
  namespace: DurableObjectNamespace<T>,
  at: Switch,
): DurableObjectNamespace<T> {
  const object = (name: string) =>
    new Proxy(namespace.getByName(name), {
      get:
        (stub, method) =>
        (...args: unknown[]) =>
          at.through(() =>
            method === "fetch"
              ? stub.fetch(...(args as [string]))
              : (Reflect.get(stub, method) as Call)(...args),
          ),
    });
  return intercept(namespace, (name) => (name === "getByName" ? object : undefined));
}

/** A queue that adds the bodies of its messages to `bodies` and delivers none of them. */
const keepingQueue = (bodies: object[]) => {
  const sendBatch = async (messages: Iterable<{ readonly body: object }>) => {
    for (const { body } of messages) bodies.push(body);
  };
  return { sendBatch } as unknown as Queue;
};

const NAMES = [
  "DB",
  "BATCHES",
  "EDGE",
  "WEBHOOKS",
  "USAGE",
  "REFRESH_FAMILIES",
  "PASSWORD_HASHERS",
  "METRICS",
  "STREAM_HUBS",
  "STREAM_LEAVES",
  "USAGE_OBJECTS",
  "SCHEDULERS",
  "MAIL",
] as const;

/**
 * The Worker's environment with a fault switch for each binding. The queues deliver nothing.
 * `webhooks` and `usage` hold the bodies of the messages that were sent to each queue.
 */
export function faultyEnvironment(more: Partial<Env> = {}) {
  const at = Object.fromEntries(NAMES.map((name) => [name, new Switch()])) as Record<
    (typeof NAMES)[number],
    Switch
  >;
  const webhooks: object[] = [];
  const usage: object[] = [];
  const faultyEnv: Env = {
    ...env,
    // Turns the log off, because every fault would be logged.
    LOGGING_LEVEL_APP: "OFF",
    ...more,
    DB: faultyDatabase(at.DB, at.BATCHES),
    EDGE: faulty(env.EDGE, ["get", "put", "delete"], at.EDGE),
    WEBHOOKS: faulty(keepingQueue(webhooks), ["sendBatch"], at.WEBHOOKS),
    USAGE: faulty(keepingQueue(usage), ["sendBatch"], at.USAGE),
    REFRESH_FAMILIES: faultyObjects(env.REFRESH_FAMILIES, at.REFRESH_FAMILIES),
    PASSWORD_HASHERS: faultyObjects(env.PASSWORD_HASHERS, at.PASSWORD_HASHERS),
    METRICS: faultyObjects(env.METRICS, at.METRICS),
    STREAM_HUBS: faultyObjects(env.STREAM_HUBS, at.STREAM_HUBS),
    STREAM_LEAVES: faultyObjects(env.STREAM_LEAVES, at.STREAM_LEAVES),
    USAGE_OBJECTS: faultyObjects(env.USAGE_OBJECTS, at.USAGE_OBJECTS),
    SCHEDULERS: faultyObjects(env.SCHEDULERS, at.SCHEDULERS),
    MAIL: faulty(more.MAIL ?? env.MAIL, ["send"], at.MAIL),
  };
  const heal = () => {
    for (const one of Object.values(at)) one.fault = undefined;
  };
  return { env: faultyEnv, at, heal, webhooks, usage };
}
