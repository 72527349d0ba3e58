import { type CompiledRule, compileRules } from "@feature-flags/evaluation/evaluate";
import type { ClientRule, Verdict } from "@feature-flags/evaluation/rule";
import type { Snapshot } from "../core/rules/snapshot.ts";
import { JSON_HEADERS } from "../http/json.ts";

/**
 * How many bytes of heap compiled rules take for each byte of their JSON. `npm run bench` measures
 * 4.6 to 6.2 in Node, and under 3 in workerd.
 */
const COMPILED_BYTES_PER_BYTE = 6;

/** How many bytes of heap one entry of `changes` takes: a small object with a short string. */
const BYTES_PER_CHANGE = 120;

/** How many bytes of heap one flag key takes: a string and its entry in a set. */
const BYTES_PER_KEY = 100;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * One compiled rule, with the text `"key":` that precedes its evaluation result in a response body.
 */
interface NamedRule {
  readonly name: string;
  readonly rule: CompiledRule;
}

/**
 * The compiled rules of an environment by flag key, with the JSON of the evaluation results that
 * these rules have returned.
 */
export class CompiledRules {
  readonly byKey: ReadonlyMap<string, NamedRule>;
  /**
   * The JSON of each evaluation result, by the result object, because rules return the same few
   * frozen objects again and again. The map is freed together with the rules.
   */
  readonly #verdicts = new Map<Verdict, string>();

  constructor(rules: readonly unknown[]) {
    this.byKey = new Map(
      [...compileRules(rules)].map(([key, rule]) => [
        key,
        { name: `${JSON.stringify(key)}:`, rule },
      ]),
    );
  }

  get size(): number {
    return this.byKey.size;
  }

  has(key: string): boolean {
    return this.byKey.has(key);
  }

  /**
   * Returns the JSON of an evaluation result of these rules. Each result is serialised only once.
   */
  json(verdict: Verdict): string {
    let text = this.#verdicts.get(verdict);
    if (text === undefined) {
      text = JSON.stringify(verdict);
      this.#verdicts.set(verdict, text);
    }
    return text;
  }
}

/**
 * The kinds of responses that are made from a rule set: the full list of rules, a delta response, a
 * 304, and evaluation results.
 */
export type ResponseKind = "full" | "partial" | "unchanged" | "verdicts";

/**
 * A rule set: the rules of one environment in an isolate's memory. It has the bytes of the full
 * response and, once needed, the compiled rules.
 */
export class RuleSet {
  readonly snapshot: Omit<Snapshot, "body">;
  /** The body of a full response, UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /**
   * The response headers by kind of response. They are kept because the runtime copies headers
   * faster than it creates them.
   */
  readonly #headers = new Map<ResponseKind | `stale ${ResponseKind}`, Headers>();
  /** When KV was last checked for newer rules, epoch milliseconds; 0: never. */
  lookedAt = 0;
  #compiled: CompiledRules | undefined;
  #keys: ReadonlySet<string> | undefined;

  constructor({ body, ...snapshot }: Snapshot) {
    this.snapshot = snapshot;
    this.bytes = encoder.encode(body) as Uint8Array<ArrayBuffer>;
  }

  /** An estimate of the memory that the rule set takes, bytes. */
  get size(): number {
    const { byteLength } = this.bytes;
    const compiled = this.#compiled ? byteLength * COMPILED_BYTES_PER_BYTE : 0;
    const keys = (this.#keys?.size ?? 0) * BYTES_PER_KEY;
    return byteLength + compiled + keys + this.snapshot.changes.length * BYTES_PER_CHANGE + 1;
  }

  /** Whether the rules are compiled already. */
  get isCompiled(): boolean {
    return this.#compiled !== undefined;
  }

  /** The compiled rules. They are compiled at the first use. */
  get compiled(): CompiledRules {
    this.#compiled ??= new CompiledRules(this.#rules());
    return this.#compiled;
  }

  /** Whether `keys` is available without reading the JSON. */
  get hasKeys(): boolean {
    return this.#compiled !== undefined || this.#keys !== undefined;
  }

  /**
   * The flag keys. They are read from the JSON at the first use, unless the rules are compiled:
   * reading is cheaper than compiling.
   */
  get keys(): { has(key: string): boolean } {
    return this.#compiled ?? (this.#keys ??= new Set(this.#rules().map(({ key }) => key)));
  }

  /** Returns the JSON of one rule, from its byte range in `bytes`. */
  text([start, end]: readonly [number, number]): string {
    return decoder.decode(this.bytes.subarray(start, end));
  }

  /**
   * Returns the headers of a response from this rule set. Several responses share them, so copy
   * them before a change.
   */
  headersOf(kind: ResponseKind, stale: boolean): Headers {
    const name = stale ? (`stale ${kind}` as const) : kind;
    let headers = this.#headers.get(name);
    if (headers === undefined) {
      headers = this.#makeHeaders(kind, stale);
      this.#headers.set(name, headers);
    }
    return headers;
  }

  #makeHeaders(kind: ResponseKind, stale: boolean): Headers {
    const { revision, changedAt, etag } = this.snapshot;
    return new Headers({
      "Cache-Control": "private, no-cache",
      "X-Revision": String(revision),
      // The next `since` is 1 ms after the newest change, because a delta response includes the
      // changes at `since`.
      "X-Next-Since": new Date(changedAt + 1).toISOString(),
      ...(kind !== "verdicts" && { ETag: etag }),
      // A 304 has no body, so it has no headers that describe one.
      ...(kind !== "unchanged" && JSON_HEADERS),
      ...((kind === "full" || kind === "partial") && { "X-Delta": kind }),
      ...(stale && { Warning: '110 - "Response is Stale"' }),
    });
  }

  #rules(): ClientRule[] {
    return JSON.parse(decoder.decode(this.bytes)) as ClientRule[];
  }
}
