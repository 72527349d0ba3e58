import { changedSince } from "@feature-flags/client-api/changes";
import type { ClientRule } from "@feature-flags/evaluation/rule";
import {
  buildSnapshot,
  type EnvironmentRules,
  type FlagRule,
} from "../../../src/core/rules/snapshot.ts";
import { DEFAULT_STRATEGY, type StrategyContent } from "../../../src/core/strategies/strategy.ts";
import { deltaOf } from "../../../src/core/stream/delta.ts";
import { RuleSet } from "../../../src/client/rules/rule-set.ts";
import type { FakeTimers } from "./fake-timers.ts";

/** The ways in which the fake service fails. */
export type Trouble =
  /** The network fails. */
  | "down"
  /** The service sends no response. */
  | "hanging"
  /** The response body ends in the middle. */
  | "truncated"
  /** The response is an HTML page of another server. */
  | "html"
  /** The response body does not end. */
  | "endless"
  /** The response was not compared with the database: it has the header `Warning: 110`. */
  | "stale"
  /** The response has this HTTP status. */
  | number;

/** One open stream. */
interface OpenStream {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  isSilent: boolean;
}

export interface Report {
  readonly evaluations: Record<string, { t: number; f: number; v?: Record<string, number> }>;
  readonly appName?: string;
  readonly instanceId?: string;
  readonly sdkVersion?: string;
  readonly revision?: number;
}

export const URL_OF_SERVICE = "https://flags.test";
export const KEY = "a-server-key";

const encoder = new TextEncoder();

/**
 * The client API of one environment in memory. Snapshots, deltas, ETags and response headers are made
 * by the code of the service.
 */
export class FakeService {
  readonly #clock: FakeTimers;
  readonly #flags = new Map<string, FlagRule>();
  readonly #changes = new Map<string, EnvironmentRules["changes"][number]>();
  readonly #streams = new Set<OpenStream>();
  #revision = 0;
  #changedAt: number;
  #set: RuleSet;
  /** The trouble of each part of the service; undefined: the part works. */
  troubles: { features?: Trouble; stream?: Trouble; metrics?: Trouble } = {};
  /** The header `Retry-After` of responses with an error status. */
  retryAfter: string | undefined;
  /** The header `X-Report-Interval` of the responses to reports. */
  reportInterval: string | undefined;
  /** The paths of all requests. */
  readonly requests: string[] = [];
  readonly headers: Headers[] = [];
  readonly reports: Report[] = [];
  key = KEY;
  /** How far the clock of the service is ahead of the client's clock, milliseconds. */
  skew = 0;

  constructor(clock: FakeTimers) {
    this.#clock = clock;
    this.#changedAt = clock.now();
    this.#set = this.#build();
  }

  get revision(): number {
    return this.#revision;
  }

  /** Returns how many requests went to a path. */
  count(path: "features" | "stream" | "metrics"): number {
    return this.requests.filter((one) => one.startsWith(`/api/client/${path}`)).length;
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  /** Returns all rules in the form in which a client receives them. */
  get rules(): ClientRule[] {
    return JSON.parse(new TextDecoder().decode(this.#set.bytes)) as ClientRule[];
  }

  /** Creates or changes a flag. */
  set(key: string, strategy: Partial<StrategyContent> = {}, more: Partial<FlagRule> = {}): void {
    const known = this.#flags.get(key);
    this.#flags.set(key, {
      name: key,
      archived: false,
      ...known,
      ...more,
      key,
      strategy: { ...DEFAULT_STRATEGY, enabled: true, ...known?.strategy, ...strategy },
    });
    this.#commit(key);
  }

  delete(key: string): void {
    this.#flags.delete(key);
    this.#commit(key);
  }

  /** Sets the database back to an older revision, as after a restore. */
  reset(): void {
    this.#flags.clear();
    this.#changes.clear();
    this.#revision = 0;
    this.#set = this.#build();
  }

  /** Returns a function that restores the database to its present content, without an event. */
  backup(): () => void {
    const flags = [...this.#flags];
    const changes = [...this.#changes];
    const revision = this.#revision;
    return () => {
      this.#flags.clear();
      this.#changes.clear();
      for (const [key, flag] of flags) this.#flags.set(key, flag);
      for (const [key, change] of changes) this.#changes.set(key, change);
      this.#revision = revision;
      this.#set = this.#build();
    };
  }

  #commit(key: string): void {
    const from = this.#revision;
    this.#revision += 1;
    this.#changedAt = Math.max(this.#changedAt + 1, this.#clock.now());
    const { revision, changedAt } = { revision: this.#revision, changedAt: this.#changedAt };
    this.#changes.set(key, { key, name: key, revision, changedAt });
    const snapshot = buildSnapshot(this.#rules());
    this.#set = new RuleSet(snapshot);
    const data = deltaOf(snapshot, from) ?? JSON.stringify({ revision });
    this.writeAll(eventOf(revision, data));
  }

  #rules(): EnvironmentRules {
    return {
      environmentId: 1,
      revision: this.#revision,
      changedAt: this.#changedAt,
      flags: [...this.#flags.values()],
      segments: new Map(),
      changes: [...this.#changes.values()],
      archivedKeys: [],
      archivedServerKeys: [],
    };
  }

  #build(): RuleSet {
    return new RuleSet(buildSnapshot(this.#rules()));
  }

  /** Writes an event that contains only a revision. */
  announce(revision: number): void {
    this.writeAll(eventOf(revision, JSON.stringify({ revision })));
  }

  /** Writes a text to all streams. */
  writeAll(text: string): void {
    for (const stream of this.#streams) write(stream, text);
  }

  /** Ends all streams. */
  cut(): void {
    for (const { controller } of this.#streams) controller.close();
    this.#streams.clear();
  }

  /** Silences all open streams: they stay open, but nothing arrives any more. */
  silence(): void {
    for (const stream of this.#streams) stream.isSilent = true;
  }

  /** Writes the comment that the service writes every 25 seconds. */
  heartbeat(): void {
    this.writeAll(": heartbeat\n\n");
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const { pathname, search, searchParams } = new URL(new Request(input).url);
    const headers = new Headers(init?.headers);
    this.requests.push(pathname + search);
    this.headers.push(headers);
    const signal = init?.signal ?? undefined;
    const part = pathname.replace("/api/client/", "") as keyof FakeService["troubles"];
    const trouble = this.troubles[part];
    if (trouble === "down") throw new TypeError("fetch failed");
    if (trouble === "hanging") return hang(signal);
    if (trouble === "html")
      return new Response("<html></html>", { headers: { "X-Revision": "1" } });
    if (trouble === "endless") return endless();
    if (typeof trouble === "number") return this.#error(trouble);
    if (headers.get("Authorization") !== `Bearer ${this.key}`) return this.#error(401);
    if (part === "metrics") return this.#metrics(init?.body as string);
    if (part === "stream") return this.#stream(headers, searchParams, signal);
    return this.#features(headers, searchParams);
  };

  #error(status: number): Response {
    const headers = { ...(this.retryAfter !== undefined && { "Retry-After": this.retryAfter }) };
    return Response.json({ error: "trouble", code: "TROUBLE" }, { status, headers });
  }

  #metrics(body: string): Response {
    this.reports.push(JSON.parse(body) as Report);
    const headers = {
      ...(this.reportInterval !== undefined && { "X-Report-Interval": this.reportInterval }),
    };
    return Response.json({ accepted: 1, ignored: 0 }, { status: 202, headers });
  }

  #features(given: Headers, query: URLSearchParams): Response {
    const { snapshot, bytes } = this.#set;
    const held = given.get("If-None-Match") ?? undefined;
    const demanded = Number(given.get("X-Min-Revision") ?? 0);
    const isStale = this.troubles.features === "stale" || demanded > snapshot.revision;
    const date = new Date(this.#clock.now() + this.skew).toUTCString();
    const headersOf = (kind: "full" | "partial" | "unchanged") => {
      const headers = new Headers(this.#set.headersOf(kind, isStale));
      headers.set("Date", date);
      return headers;
    };
    if (held === snapshot.etag)
      return new Response(null, { status: 304, headers: headersOf("unchanged") });
    const since = query.get("since");
    const changes =
      since === null
        ? undefined
        : changedSince(snapshot, Date.parse(since), held, this.#clock.now());
    const delta = changes?.map((change) =>
      "span" in change ? this.#set.text(change.span) : JSON.stringify(change.tombstone),
    );
    const body = delta === undefined ? new TextDecoder().decode(bytes) : `[${delta.join(",")}]`;
    const isTruncated = this.troubles.features === "truncated";
    return new Response(isTruncated ? body.slice(0, -2) : body, {
      headers: headersOf(delta === undefined ? "full" : "partial"),
    });
  }

  #stream(headers: Headers, query: URLSearchParams, signal: AbortSignal | undefined): Response {
    const has = Number(headers.get("Last-Event-ID") ?? query.get("revision") ?? 0);
    let stream: OpenStream | undefined;
    const leave = () => {
      if (stream !== undefined) this.#streams.delete(stream);
    };
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        stream = { controller, isSilent: false };
        this.#streams.add(stream);
        write(stream, "retry: 2000\n\n");
        const revision = this.#revision;
        if (has !== revision) write(stream, eventOf(revision, JSON.stringify({ revision })));
      },
      cancel: leave,
    });
    signal?.addEventListener("abort", leave);
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  }
}

const eventOf = (revision: number, data: string): string =>
  `event: revision\nid: ${revision}\ndata: ${data}\n\n`;

function write({ controller, isSilent }: OpenStream, text: string): void {
  if (!isSilent) controller.enqueue(encoder.encode(text));
}

/** Returns a response with the headers of the service and a body that does not end. */
function endless(): Response {
  const part = encoder.encode(" ".repeat(1024 * 1024));
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(part) });
  return new Response(body, { headers: { "X-Revision": "1", ETag: '"1-a"' } });
}

/** Never responds. Ends only when the request is aborted. */
const hang = (signal: AbortSignal | undefined): Promise<Response> =>
  new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
  });
