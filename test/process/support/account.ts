import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { type Asked, CloudflareError, type Routes } from "./cloudflare-api.ts";

/** The metadata that a deployment uploads together with the code of the Worker. */
interface Metadata {
  readonly bindings: readonly Readonly<Record<string, unknown>>[];
}

interface Database {
  readonly uuid: string;
  readonly name: string;
  replication: string;
  readonly sqlite: DatabaseSync;
}

/** A simulated empty Cloudflare account that records what deployments create in it. */
export class Account {
  readonly secrets: string[] = [];
  readonly databases: Database[] = [];
  /** The consumer of each queue, by the name of the queue. Undefined: the queue has no consumer. */
  readonly queues = new Map<string, object | undefined>();
  readonly namespaces: string[] = [];
  uploaded: Metadata | undefined;
  /** The file name of the migration that the simulated database rejects. */
  failingMigration: string | undefined;
  /** What deployments changed in the account, in the order of the changes. */
  readonly changes: string[] = [];

  readonly routes: Routes = {
    "GET /workers/scripts/:name/secrets": () => this.#ofWorker(this.secrets.map(named)),
    "GET /workers/services/:name": () =>
      this.#ofWorker({ default_environment: { environment: "production", script: {} } }),
    "GET /workers/scripts/:name/deployments": () => ({ deployments: [] }),
    "GET /workers/scripts/:name/settings": () => ({ bindings: this.uploaded?.bindings ?? [] }),
    "PATCH /workers/scripts/:name/script-settings": () => ({}),
    "GET /workers/subdomain": () => ({ subdomain: "example" }),
    "GET /workers/workers/:name": () => ({ subdomain: { enabled: true, previews_enabled: true } }),
    "POST /workers/scripts/:name/subdomain": () => ({ enabled: true, previews_enabled: true }),
    "POST /workers/scripts/:name/assets-upload-session": () => ({ jwt: "a-token", buckets: [] }),
    "PUT /workers/scripts/:name": ({ body }, name) => {
      this.uploaded = JSON.parse(/^{"main_module".*$/m.exec(body)?.[0] ?? "{}") as Metadata;
      return this.#did(`upload ${name}`, { deployment_id: "a-deployment", startup_time_ms: 1 });
    },
    "PUT /workers/scripts/:name/schedules": (asked) => {
      const crons = (json(asked) as { cron: string }[]).map(({ cron }) => cron);
      return this.#did(`schedule ${crons.join(", ")}`, {});
    },
    "GET /queues": ({ query }) =>
      [...this.queues]
        .filter(([name]) => !query.has("name") || query.getAll("name").includes(name))
        .map(([name, consumer]) => ({
          queue_id: name,
          queue_name: name,
          consumers: [consumer].flatMap((one) => one ?? []),
        })),
    "POST /queues": (asked) => {
      const { queue_name: name } = json(asked) as { queue_name: string };
      this.queues.set(name, undefined);
      return this.#did(`create queue ${name}`, { queue_id: name, queue_name: name });
    },
    "POST /queues/:name/consumers": (asked, name = "") => this.#consume(asked, name),
    "PUT /queues/:name/consumers/:id": (asked, name = "") => this.#consume(asked, name),
    "GET /storage/kv/namespaces": () => this.namespaces.map((id) => ({ id, title: id })),
    "POST /storage/kv/namespaces": (asked) => {
      const { title } = json(asked) as { title: string };
      this.namespaces.push(title);
      return this.#did(`create namespace ${title}`, { id: title });
    },
    "GET /d1/database": () => this.databases.map(({ uuid, name }) => ({ uuid, name })),
    "POST /d1/database": (asked) => {
      const { name } = json(asked) as { name: string };
      const sqlite = new DatabaseSync(":memory:");
      this.databases.push({ uuid: `id-of-${name}`, name, replication: "disabled", sqlite });
      return this.#did(`create database ${name}`, { uuid: `id-of-${name}`, name });
    },
    "GET /d1/database/:key": (_, key) => {
      const { uuid, name, replication: mode } = this.#database(key);
      return { uuid, name, read_replication: { mode } };
    },
    "PUT /d1/database/:key": (asked, key) => {
      const database = this.#database(key);
      const { read_replication: wanted } = json(asked) as { read_replication: { mode: string } };
      database.replication = wanted.mode;
      return this.#did(`replicate ${database.name}`, {});
    },
    "POST /d1/database/:key/query": (asked, key) => {
      const { sql, params = [] } = json(asked) as { sql: string; params?: SQLInputValue[] };
      return [{ results: this.#query(this.#database(key), sql, params), success: true, meta: {} }];
    },
    // Answers the request for database statistics with an empty result, because only `wrangler d1
    // info` displays the statistics.
    "POST /graphql": () => null,
  };

  #consume(asked: Asked, queue: string) {
    const { script_name: script, ...consumer } = json(asked) as { script_name: string };
    this.queues.set(queue, { ...consumer, script, consumer_id: queue });
    return this.#did(`consume ${queue}`, {});
  }

  #query({ sqlite }: Database, sql: string, params: readonly SQLInputValue[]): unknown[] {
    if (/^\s*SELECT/i.test(sql)) return sqlite.prepare(sql).all(...params);
    const migration = /INSERT INTO "d1_migrations"[^]*'(.+\.sql)'/.exec(sql)?.[1];
    if (migration !== undefined && migration === this.failingMigration)
      throw new CloudflareError(400, 7500, "a statement of the migration failed");
    sqlite.exec(sql);
    if (migration !== undefined) this.changes.push(`migrate ${migration}`);
    return [];
  }

  #database(key: string | undefined): Database {
    const found = this.databases.find(({ uuid, name }) => uuid === key || name === key);
    if (!found) throw new CloudflareError(404, 7404, "The database does not exist");
    return found;
  }

  /**
   * Returns `answer` if the Worker exists. As at Cloudflare, setting the first secret creates the
   * Worker.
   */
  #ofWorker<T>(answer: T): T {
    if (this.secrets.length === 0)
      throw new CloudflareError(404, 10_007, "This Worker does not exist");
    return answer;
  }

  #did<T>(change: string, answer: T): T {
    this.changes.push(change);
    return answer;
  }
}

const named = (name: string) => ({ name });

const json = ({ body }: Asked): unknown => JSON.parse(body);
