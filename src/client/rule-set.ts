import { type CompiledRule, compileRules } from "../core/evaluate.ts";
import type { ClientRule } from "../core/rule.ts";
import type { Snapshot } from "../core/ruleset.ts";

/**
 * Heap bytes of a compiled rule set for each byte of its JSON, measured with `npm run bench`
 * (parsed rules, closures and the map around them).
 */
export const COMPILED_BYTES_PER_BYTE = 6;

/** One remembered change: a small object with a short string. */
const BYTES_PER_CHANGE = 120;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A snapshot as an isolate holds it: the bytes of the answer, and, once needed, compiled rules. */
export class RuleSet {
  readonly snapshot: Omit<Snapshot, "body">;
  /** The answer to a full fetch, UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  #compiled: Map<string, CompiledRule> | undefined;

  constructor({ body, ...snapshot }: Snapshot) {
    this.snapshot = snapshot;
    this.bytes = encoder.encode(body) as Uint8Array<ArrayBuffer>;
  }

  /** An estimate of what the set keeps of the isolate's memory, in bytes. */
  get size(): number {
    const { byteLength } = this.bytes;
    const compiled = this.#compiled ? byteLength * COMPILED_BYTES_PER_BYTE : 0;
    return byteLength + compiled + this.snapshot.changes.length * BYTES_PER_CHANGE + 1;
  }

  get isCompiled(): boolean {
    return this.#compiled !== undefined;
  }

  /** The rules by key, compiled at the first use. */
  get compiled(): ReadonlyMap<string, CompiledRule> {
    return (this.#compiled ??= compileRules(this.rules()));
  }

  /** The rules as they go over the wire, parsed anew with every call. */
  rules(): ClientRule[] {
    return JSON.parse(decoder.decode(this.bytes)) as ClientRule[];
  }
}
