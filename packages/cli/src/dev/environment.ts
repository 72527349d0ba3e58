import { type Change, changedSince, deletedRule } from "@feature-flags/client-api/changes";
import { type NamedRule, namedRule } from "@feature-flags/client-api/evaluations";
import { rulesBody } from "@feature-flags/client-api/rules-body";
import { compileRules } from "@feature-flags/evaluation/evaluate";
import type { ClientRule } from "@feature-flags/evaluation/rule";

/** The rules of an environment at one revision, with what the responses need. */
export interface Revision {
  readonly revision: number;
  /** Epoch milliseconds. */
  readonly changedAt: number;
  readonly body: string;
  readonly etag: string;
  readonly digest: string;
  readonly rules: ReadonlyMap<string, NamedRule>;
  /** The last change of each rule, newest first. */
  readonly changes: readonly RuleChange[];
  /** The body of the manifest for the OpenFeature CLI. */
  readonly manifest: string;
}

interface RuleChange extends Change {
  readonly key: string;
  readonly name: string;
  /** The rule as JSON, or the tombstone of a rule that is gone. */
  readonly text: string;
}

/** What a file becomes in one environment. */
export interface Served {
  readonly rules: readonly ClientRule[];
  readonly manifest: string;
}

/** The environment that `flags dev` serves. Each change of its rules is a new revision. */
export class DevEnvironment {
  readonly #listeners = new Set<(revision: number) => void>();
  #current: Revision | undefined;

  /** The newest revision. Throws: an Error before the first rules. */
  get current(): Revision {
    if (this.#current === undefined) throw new Error("The environment has no rules yet");
    return this.#current;
  }

  /** Replaces the rules. Returns whether they differ from those before. */
  replace({ rules: list, manifest }: Served, now: number): boolean {
    const before = this.#current;
    const revision = (before?.revision ?? 0) + 1;
    const { body, etag, digest } = rulesBody(list, revision);
    if (before && body === before.body) {
      // A default value can change without a rule.
      this.#current = { ...before, manifest };
      return false;
    }
    const compiled = compileRules(list);
    const rules = new Map([...compiled].map(([key, rule]) => [key, namedRule(key, rule)]));
    const changes = changesOf(list, before?.changes ?? [], { revision, changedAt: now });
    this.#current = { revision, changedAt: now, body, etag, digest, rules, changes, manifest };
    for (const listener of this.#listeners) listener(revision);
    return true;
  }

  /**
   * Returns the body of a delta: the rules that changed at or after `since` (epoch milliseconds), or
   * after the revision of the ETag. Undefined if the caller needs all rules.
   */
  delta(since: number, heldEtag: string | undefined, now: number): string | undefined {
    const changes = changedSince(this.current, since, heldEtag, now);
    return changes && `[${changes.map(({ text }) => text).join(",")}]`;
  }

  /** Calls the listener with each new revision, until the returned function is called. */
  follow(listener: (revision: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Returns the last change of each rule, after a change from the rules of these changes to a list. */
function changesOf(
  list: readonly ClientRule[],
  before: readonly RuleChange[],
  change: Change,
): readonly RuleChange[] {
  const known = new Map(before.map((one) => [one.key, one]));
  const keys = new Set(list.map(({ key }) => key));
  const gone = before
    .filter(({ key }) => !keys.has(key))
    .map((one) => Object.assign(deletedRule(one), { archived: true }));
  const changes = [...list, ...gone].map((rule): RuleChange => {
    const text = JSON.stringify(rule);
    const last = known.get(rule.key);
    if (last?.text === text) return last;
    return Object.assign({ key: rule.key, name: rule.name, text }, change);
  });
  return changes.toSorted((one, other) => other.revision - one.revision);
}
