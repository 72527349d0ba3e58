import type { NamedRule } from "@feature-flags/client-api/evaluations";
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
  replace(list: readonly ClientRule[], now: number): boolean {
    const revision = (this.#current?.revision ?? 0) + 1;
    const { body, etag, digest } = rulesBody(list, revision);
    if (body === this.#current?.body) return false;
    const compiled = compileRules(list);
    const rules = new Map(
      [...compiled].map(([key, rule]) => [key, { name: `${JSON.stringify(key)}:`, rule }]),
    );
    this.#current = { revision, changedAt: now, body, etag, digest, rules };
    for (const listener of this.#listeners) listener(revision);
    return true;
  }

  /** Calls the listener with each new revision, until the returned function is called. */
  follow(listener: (revision: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
