import {
  type CompiledRule,
  compileRule,
  compileRules,
  linkPrerequisites,
} from "@feature-flags/evaluation/compile";
import { hasVariants } from "@feature-flags/evaluation/decide";
import { digestOf, readDigest, ruleHash } from "@feature-flags/evaluation/digest";
import { type RegexEngine, RegexPool } from "@feature-flags/evaluation/regex-pool";
import type { ClientRule } from "@feature-flags/evaluation/rule";
import { FlagClientError } from "./failure.ts";
import { isRule, SNAPSHOT_FORMAT, type Snapshot } from "./snapshot.ts";
import type { Counter } from "./usage.ts";

/** The types of flags. */
export type ValueType = "boolean" | "string" | "number" | "json";

/** Returns the type of a rule. An unknown type is read like json. */
const typeOf = (type: unknown = "boolean"): ValueType =>
  type === "boolean" || type === "string" || type === "number" ? type : "json";

/** A flag of the current rules. */
export interface Flag {
  readonly rule: CompiledRule;
  /** The type of the flag's values: boolean, string, number or json. */
  readonly type: ValueType;
  /**
   * Whether the verdicts have a variant and a value. The verdicts of a plain boolean flag do not.
   */
  readonly hasVariants: boolean;
  /** Whether browsers must not get the flag. */
  readonly isHidden: boolean;
  readonly counter: Counter;
}

/** Identifies the rules of the store. */
export interface Version {
  readonly revision: number;
  readonly etag: string;
  /**
   * The digest of the rules, as the service has named it; undefined: the service has named none.
   */
  readonly digest: string | undefined;
  /**
   * What the next request sends as `since`. Undefined for rules of a snapshot: they may belong to
   * another environment, so the next response must have all rules.
   */
  readonly nextSince: string | undefined;
}

/** New rules: all rules, or only the rules that changed. */
export interface Update {
  readonly kind: "full" | "partial";
  readonly rules: readonly ClientRule[];
  readonly version: Version;
}

/** The fields that the service sends again when it confirms that the client has its rules. */
export type Confirmed = Pick<Version, "nextSince" | "digest">;

/** The engine, which all clients of this process share. Undefined until a rule needs it. */
let engine: RegexEngine | undefined;

/**
 * Compiles with the engine if it is loaded. After the engine is loaded, the store compiles again
 * what it compiled before.
 */
const compileRegex: RegexEngine = (pattern, caseInsensitive, size) =>
  engine === undefined ? "syntax" : engine(pattern, caseInsensitive, size);

const newPool = () => new RegexPool(compileRegex);

/** Loads the engine for regular expressions. Throws: ENGINE_UNAVAILABLE. */
async function loadEngine(): Promise<void> {
  try {
    const { re2 } = await import("@feature-flags/evaluation/regex");
    engine = re2;
  } catch (cause) {
    const message = "The engine for regular expressions could not be loaded";
    throw new FlagClientError("ENGINE_UNAVAILABLE", message, { cause });
  }
}

/** The compiled rules of one environment. An update is applied completely or not at all. */
export class RuleStore {
  readonly #counterOf: (key: string) => Counter;
  #flags = new Map<string, Flag>();
  #rules = new Map<string, ClientRule>();
  #compiled = new Map<string, CompiledRule>();
  /** The rules that have prerequisites. */
  #requiring = new Map<string, ClientRule>();
  #regexes = newPool();
  #version: Version | undefined;

  constructor(counterOf: (key: string) => Counter) {
    this.#counterOf = counterOf;
  }

  /** The flags by key. An update may replace the map. */
  get flags(): ReadonlyMap<string, Flag> {
    return this.#flags;
  }

  /** Identifies the current rules; undefined: there are none yet. */
  get version(): Version | undefined {
    return this.#version;
  }

  /** Call this when the service has confirmed that the store has its rules. */
  confirm({ nextSince, digest }: Confirmed): void {
    if (this.#version !== undefined) this.#version = { ...this.#version, nextSince, digest };
  }

  /**
   * Whether the store has the rules of the service after an update. A delta fits only the rules for
   * which it was made. After a restore of the service's database, the same revision can have other
   * rules.
   */
  fits({ kind, rules, version }: Update): boolean {
    if (kind === "full") return true;
    const held = this.#version?.digest;
    if (held === undefined) return false;
    const hashes = [readDigest(held)];
    for (const rule of rules.filter(isRule)) {
      const known = this.#rules.get(rule.key);
      if (known !== undefined) hashes.push(ruleHash(JSON.stringify(known)));
      if (rule.archived !== true) hashes.push(ruleHash(JSON.stringify(rule)));
    }
    return digestOf(hashes) === version.digest;
  }

  /** Returns the rules as plain JSON; undefined when there are none yet. */
  snapshot(): Snapshot | undefined {
    if (this.#version === undefined) return undefined;
    const { revision, etag } = this.#version;
    return { format: SNAPSHOT_FORMAT, revision, etag, rules: [...this.#rules.values()] };
  }

  /**
   * Applies new rules, for which `fits` returns true. Returns the keys of the flags that changed,
   * and of the flags that require one of these. Returns a promise only when the engine for regular
   * expressions must be loaded first; the caller then waits before the next update. Throws:
   * ENGINE_UNAVAILABLE.
   */
  apply(update: Update): string[] | Promise<string[]> {
    const { pool, commit } =
      update.kind === "full" ? this.#prepareAll(update) : this.#prepareSome(update);
    if (engine !== undefined || pool.size === 0) return commit();
    // Replaces the pool, which has expressions that were not compiled.
    this.#regexes = newPool();
    return loadEngine().then(() => this.#prepareAll(this.#merged(update)).commit());
  }

  /** Returns the update as an update with all rules. */
  #merged(update: Update): Update {
    if (update.kind === "full") return update;
    const merged = new Map(this.#rules);
    for (const rule of update.rules.filter(isRule))
      if (rule.archived === true) merged.delete(rule.key);
      else merged.set(rule.key, rule);
    return { ...update, kind: "full", rules: [...merged.values()] };
  }

  /** Compiles all rules. `commit` replaces the rules of the store by them. */
  #prepareAll({ rules, version }: Update) {
    const pool = newPool();
    const current = rules.filter(isRule);
    for (const rule of current) protect(rule);
    const compiled = compileRules(current, { regexes: pool });
    const commit = () => {
      const after = new Map(current.map((rule) => [rule.key, rule]));
      const changed = differences(this.#rules, after);
      this.#rules = after;
      this.#compiled = compiled;
      this.#requiring = new Map([...after].filter(([, rule]) => requires(rule)));
      this.#regexes = pool;
      this.#flags = new Map();
      for (const [key, rule] of compiled) this.#flags.set(key, this.#flagOf(rule, after.get(key)));
      this.#version = version;
      return this.#withDependents(changed);
    };
    return { pool, commit };
  }

  /** Compiles the rules that changed. `commit` puts them into the store. */
  #prepareSome(update: Update) {
    const { version } = update;
    const pool = this.#regexes;
    const rules = update.rules.filter(isRule);
    for (const rule of rules) protect(rule);
    const compiled = rules.map((rule) => ({ rule, one: compileRule(rule, { regexes: pool }) }));
    // Compiles all rules with a new pool if the pool is full. The pool still counts the expressions
    // of replaced rules.
    if (pool.refused > 0) return this.#prepareAll(this.#merged(update));
    const commit = () => {
      const changed: string[] = [];
      for (const { rule, one } of compiled) {
        if (!this.#isNew(rule)) continue;
        changed.push(rule.key);
        this.#replace(rule, one);
      }
      if (this.#requiring.size > 0) linkPrerequisites(this.#compiled);
      this.#version = version;
      return this.#withDependents(changed);
    };
    return { pool, commit };
  }

  /** Whether a changed rule differs from the rule in the store. */
  #isNew(rule: ClientRule): boolean {
    const known = this.#rules.get(rule.key);
    if (rule.archived === true) return known !== undefined;
    return known === undefined || JSON.stringify(known) !== JSON.stringify(rule);
  }

  #replace(rule: ClientRule, compiled: CompiledRule): void {
    const { key } = rule;
    if (rule.archived === true) {
      this.#rules.delete(key);
      this.#compiled.delete(key);
      this.#requiring.delete(key);
      this.#flags.delete(key);
    } else {
      this.#rules.set(key, rule);
      this.#compiled.set(key, compiled);
      if (requires(rule)) this.#requiring.set(key, rule);
      else this.#requiring.delete(key);
      this.#flags.set(key, this.#flagOf(compiled, rule));
    }
  }

  #flagOf(rule: CompiledRule, source: ClientRule | undefined): Flag {
    return {
      rule,
      type: typeOf(source?.type),
      hasVariants: hasVariants(rule),
      isHidden: (source?.clients ?? "all") !== "all",
      counter: this.#counterOf(rule.key),
    };
  }

  /** Adds the flags that require one of the changed flags, directly or through others. */
  #withDependents(changed: readonly string[]): string[] {
    const found = new Set(changed);
    if (found.size === 0) return [];
    const children = new Map<string, string[]>();
    for (const { key, prerequisites } of this.#requiring.values())
      if (Array.isArray(prerequisites))
        for (const prerequisite of prerequisites as readonly ({ flagKey?: unknown } | null)[]) {
          const parent = prerequisite?.flagKey;
          if (typeof parent !== "string") continue;
          const own = children.get(parent) ?? [];
          own.push(key);
          children.set(parent, own);
        }
    // Reads the set while it grows, so that the dependents of dependents are added, too.
    for (const key of found) for (const child of children.get(key) ?? []) found.add(child);
    return [...found];
  }
}

const requires = ({ prerequisites }: ClientRule): boolean => prerequisites !== undefined;

/** Returns the keys of the rules that differ between two lists, or that one of the lists lacks. */
function differences(
  before: ReadonlyMap<string, ClientRule>,
  after: ReadonlyMap<string, ClientRule>,
): string[] {
  const changed = [...before.keys()].filter((key) => !after.has(key));
  for (const [key, rule] of after) {
    const known = before.get(key);
    if (known === undefined || JSON.stringify(known) !== JSON.stringify(rule)) changed.push(key);
  }
  return changed;
}

/** Freezes the values of a flag, because all callers get the same objects. */
function protect(rule: ClientRule): void {
  if (typeOf(rule.type) === "json") freeze(rule.variants);
}

/** Freezes a JSON value with everything in it. A list replaces the recursion. */
function freeze(value: unknown): void {
  const open = [value];
  for (const one of open) {
    if (typeof one !== "object" || one === null || Object.isFrozen(one)) continue;
    Object.freeze(one);
    // Adds the parts one by one, because a spread of a very long list would overflow the stack.
    for (const part of Object.values(one) as unknown[]) open.push(part);
  }
}
