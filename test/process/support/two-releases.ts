import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { brotliDecompressSync } from "node:zlib";
import type { ClientRule, EvaluationContext, Verdict } from "@feature-flags/evaluation/rule";
import { moduleOf } from "../../../scripts/service/modules.ts";
import { type Runtime, SECRETS, startServices } from "../../../scripts/service/runtime.ts";
import { migrate } from "../../../scripts/service/seed.ts";
import { ROOT } from "../../../scripts/lib/processes.ts";
import { ENTRY } from "../../../scripts/lib/worker-build.ts";
import type { Json } from "../../worker/support/response.ts";
import { workerModules } from "./bundle.ts";

const OLD_WORKER = path.join(ROOT, "test/fixtures/release-before/worker.js.br");

/**
 * The Workers: `new` is built from this checkout, and `old` is the previous release. The restarted
 * Workers have the same code, and nothing in memory before their first request.
 */
const WORKERS = ["new", "old", "restarted new", "restarted old"] as const;
export type WorkerName = (typeof WORKERS)[number];

/** How long a Worker may serve the rules of an older revision, milliseconds. */
const CATCH_UP_MS = 10_000;
const POLL_MS = 50;

/** A project with one environment. */
export interface World {
  readonly projectId: number;
  readonly environmentId: number;
  readonly apiKey: string;
}

interface ClientRequest {
  readonly method: string;
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response of `GET /api/client/features`. */
export interface Rules {
  readonly headers: Headers;
  readonly text: string;
  readonly rules: readonly ClientRule[];
}

/** Two releases that run at the same time on one database and one KV namespace. */
export class TwoReleases {
  readonly #runtime: Runtime;
  #token: string | undefined;

  private constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  static async start(): Promise<TwoReleases> {
    const modules = await workerModules();
    const before = [moduleOf(ENTRY, brotliDecompressSync(readFileSync(OLD_WORKER)).toString())];
    const runtime = await startServices(ROOT, [modules, before, modules, before]);
    await migrate(await runtime.miniflare.getD1Database("DB"), ROOT);
    const releases = new TwoReleases(runtime);
    const { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password } = SECRETS;
    const session = await releases.manage("new", "POST /auth/login", { email, password });
    releases.#token = session.token;
    return releases;
  }

  stop(): Promise<void> {
    return this.#runtime.miniflare.dispose();
  }

  /** Calls the management API. Throws: Error when the status is 400 or more. */
  async manage(worker: WorkerName, call: string, body?: object): Promise<Json> {
    const [method = "", at = ""] = call.split(" ");
    const answer = await this.#send(worker, `/api/v1${at}`, { method, body }, this.#token);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${worker}: ${call}: ${answer.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  async newWorld(): Promise<World> {
    const name = crypto.randomUUID();
    const project = await this.manage("new", "POST /projects", { name });
    const projectId: number = project.id;
    const environment = await this.manage("new", "POST /environments", { name, projectId });
    const environmentId: number = environment.id;
    const key = { name, keyType: "SERVER", environmentId };
    const { apiKey } = await this.manage("new", "POST /api-keys", key);
    return { projectId, environmentId, apiKey };
  }

  /** Creates a flag through one of the releases. Returns the id of the flag. */
  async newFlag(worker: WorkerName, { projectId }: World, flag: object): Promise<number> {
    const body = { name: "A flag", flagType: "RELEASE", projectId, ...flag };
    return (await this.manage(worker, "POST /flags", body)).id;
  }

  /** Sets the strategy of a flag through one of the releases. */
  set(worker: WorkerName, { environmentId }: World, flagId: number, change: object): Promise<Json> {
    const body = { environmentId, enabled: true, ...change };
    return this.manage(worker, `PUT /flags/${flagId}/strategies`, body);
  }

  /**
   * Polls the rules from one of the releases, until its response has the newest revision. `held`:
   * the headers of the last response to the SDK.
   */
  async poll(worker: WorkerName, world: World, held?: Headers): Promise<Rules> {
    const since = held?.get("X-Next-Since");
    const query = since ? `?since=${encodeURIComponent(since)}` : "";
    const etag = held?.get("ETag");
    return this.#newest(world, async () => {
      const request = { method: "GET", headers: etag ? { "If-None-Match": etag } : {} };
      const at = `/api/client/features${query}`;
      const answer = await this.#send(worker, at, request, world.apiKey);
      const text = await answer.text();
      return { headers: answer.headers, text, rules: text === "" ? [] : JSON.parse(text) };
    });
  }

  /** Evaluates all flags for each context with one of the releases, at the newest revision. */
  evaluate(
    worker: WorkerName,
    world: World,
    contexts: readonly EvaluationContext[],
  ): Promise<readonly Readonly<Record<string, Verdict>>[]> {
    const evaluateOne = async (context: EvaluationContext) => {
      const request = { method: "POST", body: { context } };
      const answer = await this.#send(worker, "/api/client/evaluate", request, world.apiKey);
      const { evaluations } = (await answer.json()) as { evaluations: Record<string, Verdict> };
      return { headers: answer.headers, evaluations };
    };
    return this.#newest(world, async () => {
      const answers = await Promise.all(contexts.map(evaluateOne));
      const [headers = new Headers()] = answers.map((answer) => answer.headers);
      return { headers, evaluations: answers.map(({ evaluations }) => evaluations) };
    }).then(({ evaluations }) => evaluations);
  }

  /** Waits until KV has a snapshot with the newest revision, and returns the snapshot. */
  async stored({ environmentId }: World, key: string): Promise<Json> {
    const kv = await this.#runtime.miniflare.getKVNamespace("EDGE");
    const revision = await this.#revision(environmentId);
    return this.#until(async () => {
      const snapshot: Json = await kv.get(key, "json");
      return snapshot?.revision === revision ? snapshot : undefined;
    });
  }

  async #newest<T extends { readonly headers: Headers }>(
    { environmentId }: World,
    request: () => Promise<T>,
  ): Promise<T> {
    const revision = await this.#revision(environmentId);
    return this.#until(async () => {
      const answer = await request();
      return Number(answer.headers.get("X-Revision")) === revision ? answer : undefined;
    });
  }

  async #until<T>(attempt: () => Promise<T | undefined>): Promise<T> {
    for (const end = Date.now() + CATCH_UP_MS; Date.now() < end; await wait(POLL_MS)) {
      const result = await attempt();
      if (result !== undefined) return result;
    }
    throw new Error("the newest revision did not appear in time");
  }

  async #revision(environmentId: number): Promise<number> {
    const db = await this.#runtime.miniflare.getD1Database("DB");
    const row = db.prepare("SELECT revision FROM environments WHERE id = ?").bind(environmentId);
    return Number(await row.first("revision"));
  }

  #send(
    worker: WorkerName,
    at: string,
    { method, body, headers = {} }: ClientRequest,
    token?: string,
  ): Promise<Response> {
    const port = this.#runtime.ports[WORKERS.indexOf(worker)];
    return fetch(`http://127.0.0.1:${port}${at}`, {
      method,
      headers: {
        "Content-Type": "application/json",
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  }
}
