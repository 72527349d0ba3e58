import { type CompiledRule, compileRules } from "@feature-flags/evaluation/evaluate";
import type { ClientRule, Verdict } from "@feature-flags/evaluation/rule";
import type { Snapshot } from "../core/rules/snapshot.ts";
import { JSON_HEADERS } from "../http/json.ts";

/**
 * Heap bytes of compiled rules for each byte of their JSON: 4.6 to 6.2 in Node, under 3 in workerd
 * (`npm run bench` measures it).
 */
const COMPILED_BYTES_PER_BYTE = 6;

/** Heap bytes of one change: a small object with a short string. */
const BYTES_PER_CHANGE = 120;

/** Heap bytes of one flag key: a string and its entry in a set. */
const BYTES_PER_KEY = 100;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** One compiled rule, with `"key":` as it appears in a response body. */
interface NamedRule {
  readonly name: string;
  readonly rule: CompiledRule;
}

/** The compiled rules of a set by key, with the JSON of the verdicts that they have returned. */
export class CompiledRules {
  readonly byKey: ReadonlyMap<string, NamedRule>;
  /**
   * By identity, because rules return the same few frozen verdicts again and again. It belongs to
   * the rules that own the verdicts, and is freed with them.
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

  /** The JSON of a verdict of these rules; each verdict is serialised once. */
  json(verdict: Verdict): string {
    let text = this.#verdicts.get(verdict);
    if (text === undefined) {
      text = JSON.stringify(verdict);
      this.#verdicts.set(verdict, text);
    }
    return text;
  }
}

/** What a response from a set contains. */
export type ResponseKind = "full" | "partial" | "unchanged" | "verdicts";

/** A snapshot as an isolate holds it: the bytes of the response and, once needed, compiled rules. */
export class RuleSet {
  readonly snapshot: Omit<Snapshot, "body">;
  /** The body of a full response, UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The headers of each kind of response. The runtime copies headers faster than it makes them. */
  readonly #headers = new Map<ResponseKind | `stale ${ResponseKind}`, Headers>();
  /** When the store was last checked for newer rules, epoch milliseconds. */
  lookedAt = 0;
  #compiled: CompiledRules | undefined;
  #keys: ReadonlySet<string> | undefined;

  constructor({ body, ...snapshot }: Snapshot) {
    this.snapshot = snapshot;
    this.bytes = encoder.encode(body) as Uint8Array<ArrayBuffer>;
  }

  /** An estimate of the memory that the set takes, in bytes. */
  get size(): number {
    const { byteLength } = this.bytes;
    const compiled = this.#compiled ? byteLength * COMPILED_BYTES_PER_BYTE : 0;
    const keys = (this.#keys?.size ?? 0) * BYTES_PER_KEY;
    return byteLength + compiled + keys + this.snapshot.changes.length * BYTES_PER_CHANGE + 1;
  }

  get isCompiled(): boolean {
    return this.#compiled !== undefined;
  }

  /** Compiled at the first use. */
  get compiled(): CompiledRules {
    this.#compiled ??= new CompiledRules(this.#rules());
    return this.#compiled;
  }

  get hasKeys(): boolean {
    return this.#compiled !== undefined || this.#keys !== undefined;
  }

  /** The keys of the flags. Reads the JSON at the first use, which is cheaper than compiling. */
  get keys(): { has(key: string): boolean } {
    return this.#compiled ?? (this.#keys ??= new Set(this.#rules().map(({ key }) => key)));
  }

  /** The JSON of one rule, from its position in `bytes`. */
  text([start, end]: readonly [number, number]): string {
    return decoder.decode(this.bytes.subarray(start, end));
  }

  /** The headers of a response from the set. Shared by responses, so copy them before a change. */
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
      // 1 ms after the newest change, because a delta includes the changes at `since`.
      "X-Next-Since": new Date(changedAt + 1).toISOString(),
      ...(kind !== "verdicts" && { ETag: etag }),
      // A 304 has no body to describe.
      ...(kind !== "unchanged" && JSON_HEADERS),
      ...((kind === "full" || kind === "partial") && { "X-Delta": kind }),
      ...(stale && { Warning: '110 - "Response is Stale"' }),
    });
  }

  #rules(): ClientRule[] {
    return JSON.parse(decoder.decode(this.bytes)) as ClientRule[];
  }
}
