/**
 * The path at which a benchmark reads the counts of storage operations. The service itself has no
 * such route.
 */
const COUNTS_PATH = "/__bench/counts";

/** The storage operations of one isolate since the counts were last read. */
const counts = { statementTimes: [] as number[], batched: 0, kvReads: 0 };

const EXECUTES: ReadonlySet<PropertyKey> = new Set(["first", "run", "all", "raw"]);
const KV_READS: ReadonlySet<PropertyKey> = new Set(["get", "getWithMetadata"]);
const originals = new WeakMap<object, Statement>();
const wrappedEnvs = new WeakMap<object, CountedEnv>();

/**
 * The methods of D1 that are replaced to count statements. `withSession` returns an object with the
 * same methods.
 */
interface Statement {
  bind(...values: unknown[]): Statement;
}
interface Database {
  prepare(sql: string): Statement;
  batch(statements: readonly Statement[]): unknown;
  withSession(from: string): Database;
}

interface CountedEnv {
  readonly DB: Database;
  readonly EDGE: object;
}

interface Service {
  fetch(request: Request, env: CountedEnv, ctx: unknown): Promise<Response> | Response;
}

const note = (statements: number) => {
  const now = Date.now();
  for (let i = 0; i < statements; i++) counts.statementTimes.push(now);
};

/** Returns a platform object with some methods replaced. The other methods keep their `this`. */
function withMethods<T extends object>(target: T, replace: (name: PropertyKey) => unknown): T {
  return new Proxy(target, {
    get(object, name) {
      const replaced = replace(name);
      if (replaced !== undefined) return replaced;
      const value: unknown = Reflect.get(object, name, object);
      return typeof value === "function" ? (value.bind(object) as unknown) : value;
    },
  });
}

function countedStatement(statement: Statement): Statement {
  const proxy = withMethods(statement, (name) => {
    if (name === "bind")
      return (...values: unknown[]) => countedStatement(statement.bind(...values));
    if (EXECUTES.has(name)) note(1);
    return undefined;
  });
  originals.set(proxy, statement);
  return proxy;
}

function countedDatabase(database: Database): Database {
  return withMethods(database, (name) => {
    if (name === "prepare") return (sql: string) => countedStatement(database.prepare(sql));
    if (name === "batch")
      return (statements: readonly Statement[]) => {
        note(statements.length);
        counts.batched += statements.length;
        return database.batch(statements.map((one) => originals.get(one) ?? one));
      };
    if (name === "withSession")
      return (from: string) => countedDatabase(database.withSession(from));
    return undefined;
  });
}

function countedEnv(env: CountedEnv): CountedEnv {
  const known = wrappedEnvs.get(env);
  if (known) return known;
  const EDGE = withMethods(env.EDGE, (name) => {
    if (KV_READS.has(name)) counts.kvReads += 1;
    return undefined;
  });
  const wrapped = { ...env, DB: countedDatabase(env.DB), EDGE };
  wrappedEnvs.set(env, wrapped);
  return wrapped;
}

/**
 * Returns the service, extended to count its storage operations. Reading the counts resets them.
 */
export function counting<T extends Service>(service: T): T {
  return {
    ...service,
    fetch(request: Request, env: CountedEnv, ctx: unknown) {
      if (!request.url.endsWith(COUNTS_PATH)) return service.fetch(request, countedEnv(env), ctx);
      const answer = Response.json(counts);
      counts.statementTimes = [];
      counts.batched = 0;
      counts.kvReads = 0;
      return answer;
    },
  };
}
