import type { FileConstraint, FileFlag, FileSegment } from "@feature-flags/file/file";
import { isSame } from "@feature-flags/file/json";
import { MAX_NAME } from "./limits.ts";

/** The segments of the file, which the flags of all environments share. */
export class Segments {
  readonly #known = new Map<string, FileSegment>();

  /** Returns the segments that these flags use, by name. */
  usedBy(flags: readonly FileFlag[]): Readonly<Record<string, FileSegment>> {
    const strategies = flags.flatMap(({ environments = {} }) => Object.values(environments));
    const rules = strategies.flatMap((strategy) => strategy.rules ?? []);
    const names = new Set([...strategies, ...rules].flatMap((rule) => rule.segments ?? []));
    return Object.fromEntries([...this.#known].filter(([name]) => names.has(name)));
  }

  /**
   * Returns the name of a segment in the file; undefined if another one has this name, such as the
   * segment of another environment, or if the name is too long.
   */
  use(name: string, constraints: readonly FileConstraint[]): string | undefined {
    if (name.length > MAX_NAME) return undefined;
    const known = this.#known.get(name);
    if (known) return isSame(known.constraints, constraints) ? name : undefined;
    this.#known.set(name, { constraints });
    return name;
  }
}
