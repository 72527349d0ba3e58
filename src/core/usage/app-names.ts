import { DAY_MS } from "../lib/time.ts";
import { MAX_APPS, OTHER_APP } from "./message-types.ts";

/**
 * The most application names of an environment whose usage is counted separately. A caller with a
 * SERVER key could invent names, too.
 */
export const MAX_NAMED_APPS = 4 * MAX_APPS;

/** How long an application keeps its name after its last report, milliseconds: 7 days. */
const KEEP_NAME_MS = 7 * DAY_MS;

/**
 * The name of an application that reported usage, in the form in which usage objects store it:
 * `isPublic` is true for a name that came with a FRONTEND key, `at` is the time of the last report.
 */
export type AppName = readonly [environmentId: number, name: string, isPublic: boolean, at: number];

/**
 * The names of the applications of each environment. Anybody can invent names with a FRONTEND key,
 * so names of reports without an SDK instance ("public" names) have a lower limit. Usage under
 * further names counts as usage of `OTHER_APP`.
 */
export class AppNames {
  readonly #environments = new Map<number, Map<string, { isPublic: boolean; at: number }>>();

  /** Adds names as `entries` returns them. */
  addAll(known: readonly AppName[]): void {
    for (const [environmentId, name, isPublic, at] of known)
      this.#of(environmentId).set(name, { isPublic, at });
  }

  /** Returns the name under which usage is counted. `at`: epoch milliseconds. */
  resolve(environmentId: number, name: string, isPublic: boolean, at: number): string {
    const names = this.#of(environmentId);
    const known = names.get(name);
    if (known) {
      known.at = Math.max(known.at, at);
      known.isPublic &&= isPublic;
      return name;
    }
    const taken = isPublic
      ? [...names.values()].filter((other) => other.isPublic).length >= MAX_APPS
      : names.size >= MAX_NAMED_APPS;
    if (taken || name === OTHER_APP) return OTHER_APP;
    names.set(name, { isPublic, at });
    return name;
  }

  /** Forgets the names without a report in the last 7 days. */
  forgetOld(now: number): void {
    for (const [environmentId, names] of this.#environments) {
      for (const [name, { at }] of names) if (at < now - KEEP_NAME_MS) names.delete(name);
      if (names.size === 0) this.#environments.delete(environmentId);
    }
  }

  entries(): AppName[] {
    return [...this.#environments].flatMap(([environmentId, names]) =>
      Array.from(names, ([name, { isPublic, at }]): AppName => [environmentId, name, isPublic, at]),
    );
  }

  #of(environmentId: number) {
    let names = this.#environments.get(environmentId);
    if (!names) {
      names = new Map();
      this.#environments.set(environmentId, names);
    }
    return names;
  }
}
