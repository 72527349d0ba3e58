import { namedRule } from "@feature-flags/client-api/evaluations";
import type { TypedRule } from "@feature-flags/client-api/toggles";
import { compileRules } from "@feature-flags/evaluation/evaluate";
import { Re2Pool } from "@feature-flags/evaluation/regex";
import type { ClientRule } from "@feature-flags/evaluation/rule";
import { ValueTexts } from "@feature-flags/evaluation/verdict";
import { BOOLEAN_VARIANTS } from "../../core/flags/variants.ts";
import type { Snapshot } from "../../core/rules/snapshot.ts";
import { JSON_HEADERS } from "../../http/json.ts";
import { UnleashDocuments } from "./documents.ts";

/**
 * How many bytes of heap compiled rules take for each byte of their JSON, without the values of
 * variants. `npm run bench` measures 2.8 to 5.7 in Node.
 */
const COMPILED_BYTES_PER_BYTE = 6;

/**
 * How many bytes of heap the value of a variant takes for each character of its JSON. The compiled
 * rules keep only the JSON, with one or two bytes per character.
 */
const BYTES_PER_VALUE_CHARACTER = 2;

/**
 * How many bytes of heap one instruction of a regular expression takes: at most 512 for the automaton, and
 * less for the program. Measured in Node: 120 to 450 after evaluations of hostile patterns.
 */
const BYTES_PER_REGEX_INSTRUCTION = 600;

/** How many bytes of heap one entry of `changes` takes: a small object with a short string. */
const BYTES_PER_CHANGE = 120;

/** How many bytes of heap one flag key takes: a string and its entry in a set. */
const BYTES_PER_KEY = 100;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

interface KnownRule extends TypedRule {
  readonly variants: readonly string[];
}

/** The keys of the variants of a boolean flag. */
const BOOLEAN = BOOLEAN_VARIANTS.map(({ key }) => key);

const variantsOf = ({ variants }: ClientRule): readonly string[] =>
  variants ? Object.keys(variants) : BOOLEAN;

/** The flags of a rule set that are not archived. */
export interface KnownFlags {
  /** Returns the keys of a flag's variants; undefined for an unknown flag. */
  variantsOf(key: string): readonly string[] | undefined;
  /** Whether browsers get the flag. False for an unknown flag. */
  isPublic(key: string): boolean;
}

/** Returns the entries of the flags that browsers get: the same map if no flag is hidden from them. */
function publicOf<T>(
  byKey: ReadonlyMap<string, T>,
  rules: readonly ClientRule[],
): ReadonlyMap<string, T> {
  const hidden = new Set(rules.flatMap(({ key, clients }) => (clients === undefined ? [] : key)));
  return hidden.size === 0 ? byKey : new Map([...byKey].filter(([key]) => !hidden.has(key)));
}

/** The flags of rules that are not compiled. */
class ListedFlags implements KnownFlags {
  readonly #variants: ReadonlyMap<string, readonly string[]>;
  readonly #public: ReadonlyMap<string, readonly string[]>;

  constructor(rules: readonly ClientRule[]) {
    this.#variants = new Map(rules.map((rule) => [rule.key, variantsOf(rule)]));
    this.#public = publicOf(this.#variants, rules);
  }

  /** How many entries the maps have. */
  get entries(): number {
    return entriesOf(this.#variants, this.#public);
  }

  variantsOf(key: string): readonly string[] | undefined {
    return this.#variants.get(key);
  }

  isPublic(key: string): boolean {
    return this.#public.has(key);
  }
}

/** Returns how many entries a collection and its public part have together. They can be the same object. */
const entriesOf = <T extends { readonly size: number }>(all: T, visible: T): number =>
  all === visible ? all.size : all.size + visible.size;

/**
 * The compiled rules of an environment by flag key. Their verdicts have no values: `verdictJson`
 * returns the JSON of a verdict with its value.
 */
export class CompiledRules implements KnownFlags {
  readonly byKey: ReadonlyMap<string, KnownRule>;
  /** The rules of the flags that browsers get. Of the others, a `FRONTEND` key learns nothing. */
  readonly publicByKey: ReadonlyMap<string, KnownRule>;
  readonly #regexes = new Re2Pool();
  readonly #valueTexts = new ValueTexts();

  constructor(rules: readonly ClientRule[]) {
    const compiled = compileRules(rules, { regexes: this.#regexes, valueTexts: this.#valueTexts });
    this.byKey = new Map(
      rules.flatMap((rule) => {
        const { key, type } = rule;
        const one = compiled.get(key);
        return one ? [[key, { ...namedRule(key, one), type, variants: variantsOf(rule) }]] : [];
      }),
    );
    this.publicByKey = publicOf(this.byKey, rules);
  }

  get size(): number {
    return this.byKey.size;
  }

  /** An estimate of the memory that the compiled rules take, bytes. `jsonBytes`: their JSON. */
  bytesOf(jsonBytes: number): number {
    const { length } = this.#valueTexts;
    return (
      (jsonBytes - length) * COMPILED_BYTES_PER_BYTE +
      length * BYTES_PER_VALUE_CHARACTER +
      this.#regexes.size * BYTES_PER_REGEX_INSTRUCTION +
      (this.publicByKey === this.byKey ? 0 : this.publicByKey.size * BYTES_PER_KEY)
    );
  }

  /** How many regular expressions were too large, so that their constraints never hold. */
  get refusedRegexes(): number {
    return this.#regexes.refused;
  }

  variantsOf(key: string): readonly string[] | undefined {
    return this.byKey.get(key)?.variants;
  }

  isPublic(key: string): boolean {
    return this.publicByKey.has(key);
  }
}

/**
 * The kinds of responses that are made from a rule set: the full list of rules, a delta response, a
 * 304 instead of them, evaluation results, and a 304 instead of these.
 */
export type ResponseKind = "full" | "partial" | "unchanged" | "verdicts" | "unchanged verdicts";

/**
 * A rule set: the rules of one environment in an isolate's memory. It has the bytes of the full
 * response and, once needed, the compiled rules.
 */
export class RuleSet {
  readonly snapshot: Omit<Snapshot, "body" | "archivedKeys" | "archivedServerKeys">;
  readonly archivedKeys: ReadonlySet<string>;
  /** The archived flags that browsers got. Of the others, a `FRONTEND` key learns nothing. */
  readonly publicArchivedKeys: ReadonlySet<string>;
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
  #unleash: UnleashDocuments | undefined;
  #listed: ListedFlags | undefined;

  constructor({ body, archivedKeys, archivedServerKeys, ...snapshot }: Snapshot) {
    this.snapshot = snapshot;
    this.archivedKeys = new Set(archivedKeys);
    this.publicArchivedKeys =
      archivedServerKeys.length === 0
        ? this.archivedKeys
        : this.archivedKeys.difference(new Set(archivedServerKeys));
    this.bytes = encoder.encode(body) as Uint8Array<ArrayBuffer>;
  }

  /** An estimate of the memory that the rule set takes, bytes. */
  get size(): number {
    const { byteLength } = this.bytes;
    const compiled = this.#compiled?.bytesOf(byteLength) ?? 0;
    const archived = entriesOf(this.archivedKeys, this.publicArchivedKeys);
    const keys = ((this.#listed?.entries ?? 0) + archived) * BYTES_PER_KEY;
    const changes = this.snapshot.changes.length * BYTES_PER_CHANGE;
    return byteLength + compiled + keys + changes + (this.#unleash?.size ?? 0) + 1;
  }

  /** Whether the rules are compiled already. */
  get isCompiled(): boolean {
    return this.#compiled !== undefined;
  }

  /** The compiled rules. They are compiled at the first use. */
  get compiled(): CompiledRules {
    this.#compiled ??= new CompiledRules(this.rules());
    return this.#compiled;
  }

  get unleash(): UnleashDocuments {
    this.#unleash ??= new UnleashDocuments(this.snapshot);
    return this.#unleash;
  }

  /** Whether `flags` is available without reading the JSON. */
  get hasFlags(): boolean {
    return this.#compiled !== undefined || this.#listed !== undefined;
  }

  /**
   * The flags that are not archived. If the rules are compiled, the flags come from the compiled
   * rules. Otherwise they are read from the JSON at the first use, because compiling costs more.
   */
  get flags(): KnownFlags {
    if (this.#compiled) return this.#compiled;
    return (this.#listed ??= new ListedFlags(this.rules()));
  }

  /** Returns the JSON of one rule, from its byte range in `bytes`. */
  text([start, end]: readonly [number, number]): string {
    return decoder.decode(this.bytes.subarray(start, end));
  }

  /**
   * Returns the headers of a response from this rule set. Several responses share them (`ClientResponse`).
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
    const { revision, changedAt, etag, digest } = this.snapshot;
    const isOfRules = kind !== "verdicts" && kind !== "unchanged verdicts";
    const hasBody = kind !== "unchanged" && kind !== "unchanged verdicts";
    return new Headers({
      "Cache-Control": "private, no-cache",
      "X-Revision": String(revision),
      // Adds 1 ms to the time of the newest change, because a delta response includes the changes
      // at `since` itself.
      "X-Next-Since": new Date(changedAt + 1).toISOString(),
      ...(isOfRules && { ETag: etag, "X-Rules-Digest": digest }),
      // Leaves `Content-Type` out of a 304, because a 304 has no body.
      ...(hasBody && JSON_HEADERS),
      ...((kind === "full" || kind === "partial") && { "X-Delta": kind }),
      ...(stale && { Warning: '110 - "Response is Stale"' }),
    });
  }

  /** Parses the rules. Keeps nothing, because parsed rules take several times the memory of the JSON. */
  rules(): ClientRule[] {
    return JSON.parse(decoder.decode(this.bytes)) as ClientRule[];
  }
}
