import { type CompiledRule, compileRules } from "@feature-flags/evaluation/evaluate";
import type { ClientRule } from "@feature-flags/evaluation/rule";
import type { Snapshot } from "../core/rules/snapshot.ts";

/**
 * Heap bytes of a compiled rule set for each byte of its JSON: 4.6 to 6.2 in Node, under 3 in
 * workerd (`npm run bench` measures it).
 */
const COMPILED_BYTES_PER_BYTE = 6;

/** One remembered change: a small object with a short string. */
const BYTES_PER_CHANGE = 120;

/** One flag key: a string and its place in a set. */
const BYTES_PER_KEY = 100;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Compiled rules by key, each with its `"key":` as it stands in an answer. */
export type CompiledRules = ReadonlyMap<
  string,
  { readonly name: string; readonly rule: CompiledRule }
>;

/** What is answered from a set. */
export type AnswerKind = "full" | "partial" | "unchanged" | "verdicts";

/** A snapshot as an isolate holds it: the bytes of the answer, and, once needed, compiled rules. */
export class RuleSet {
  readonly snapshot: Omit<Snapshot, "body">;
  /** The answer to a full fetch, UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The next question is about later changes: those at exactly this time are known. */
  readonly nextSince: string;
  /**
   * The headers of the answers that it gives, by what those answers are: the runtime copies them
   * faster than it makes them.
   */
  readonly headers = new Map<AnswerKind | `stale ${AnswerKind}`, Headers>();
  /** When the store was last looked into for newer rules, epoch milliseconds. */
  lookedAt = 0;
  #compiled: CompiledRules | undefined;
  #keys: ReadonlySet<string> | undefined;

  constructor({ body, ...snapshot }: Snapshot) {
    this.snapshot = snapshot;
    this.bytes = encoder.encode(body) as Uint8Array<ArrayBuffer>;
    this.nextSince = new Date(snapshot.changedAt + 1).toISOString();
  }

  /** An estimate of what the set keeps of the isolate's memory, in bytes. */
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
    this.#compiled ??= this.#compile();
    return this.#compiled;
  }

  get hasKeys(): boolean {
    return this.#compiled !== undefined || this.#keys !== undefined;
  }

  /** Which flags there are; read at the first use, which is cheaper than to compile them. */
  get keys(): { has(key: string): boolean } {
    return this.#compiled ?? (this.#keys ??= new Set(this.#rules().map(({ key }) => key)));
  }

  /** The JSON of one rule, from its place in `bytes`. */
  text([start, end]: readonly [number, number]): string {
    return decoder.decode(this.bytes.subarray(start, end));
  }

  #rules(): ClientRule[] {
    return JSON.parse(decoder.decode(this.bytes)) as ClientRule[];
  }

  #compile(): CompiledRules {
    return new Map(
      [...compileRules(this.#rules())].map(([key, rule]) => [
        key,
        { name: `${JSON.stringify(key)}:`, rule },
      ]),
    );
  }
}
