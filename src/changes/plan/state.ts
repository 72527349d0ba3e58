import type { FlagClients } from "../../core/flags/variants.ts";
import type { ApiError } from "../../core/errors/api-error.ts";
import type { ContextRow } from "../../model/contexts/queries.ts";
import type { ValueRow } from "../../model/contexts/value-queries.ts";
import type { FlagState } from "../../model/flags/flag-state.ts";
import type { ReadRequirements } from "../../model/flags/prerequisite-queries.ts";
import type { RampRow } from "../../model/ramps/queries.ts";
import type { SegmentRow } from "../../model/segments/queries.ts";
import type { StrategyRow } from "../../model/strategies/queries.ts";
import type { TagRow } from "../../model/tags/queries.ts";
import type { FlagRef } from "./operation.ts";

/** The resources whose rows operations create. The names are those of the tables. */
export type Table = "flags" | "segments" | "tags" | "context_definitions" | "ramps";

/** The project of new rows. */
export interface ProjectState {
  readonly id: number;
  readonly staleDays: number;
  readonly newFlagClients: FlagClients;
  /** The greatest id that each table has used. */
  readonly lastIds: Readonly<Record<Table, number>>;
}

/** A user of a variant: an environment whose strategy serves it, or a flag that requires it. */
export interface VariantUse {
  readonly flagId: number;
  readonly variant: string;
  readonly environmentId: number | null;
  readonly environment: string | null;
  readonly requiredBy: string | null;
}

/** A strategy whose rules use a segment. */
interface SegmentUse {
  readonly segmentId: number;
  readonly flagId: number;
  readonly flagKey: string;
  readonly environmentId: number;
}

/** What operations refer to, as read from the primary database. */
export interface State {
  /** The project of new rows. Undefined if no operation creates a row, or if it does not exist. */
  readonly project: ProjectState | undefined;
  readonly flags: Flags;
  /** By `strategyKey`. */
  readonly strategies: ReadonlyMap<string, StrategyRow>;
  /** The active ramps of the strategies of which operations start a ramp, by `strategyKey`. */
  readonly ramps: ReadonlyMap<string, RampRow>;
  readonly segments: ReadonlyMap<number, SegmentRow>;
  readonly tags: ReadonlyMap<number, TagRow>;
  readonly contexts: ReadonlyMap<number, ContextRow>;
  /** The environments of strategies of flags that the operations create. */
  readonly environments: ReadonlyMap<
    number,
    { readonly name: string; readonly production: boolean; readonly projectId: number }
  >;
  /** The ids of the owners in the operations that are users. */
  readonly users: ReadonlySet<number>;
  /** Undefined if no operation can close a cycle of prerequisites. */
  readonly required: ReadRequirements | undefined;
  readonly variantUses: readonly VariantUse[];
  readonly segmentUses: readonly SegmentUse[];
  readonly contextValues: readonly ValueRow[];
  /** The size of the constraints of each segment that a strategy gains or loses, bytes. */
  readonly segmentBytes: ReadonlyMap<number, number>;
}

/** Returns the project of the rows that operations refer to. Undefined: there are no rows. */
export const projectOf = ({
  project,
  flags,
  strategies,
  segments,
}: Pick<State, "project" | "flags" | "strategies" | "segments">): number | undefined =>
  project?.id ??
  flags.values().next().value?.projectId ??
  strategies.values().next().value?.flag.projectId ??
  segments.values().next().value?.projectId;

export const strategyKey = (flagId: number, environmentId: number): string =>
  `${flagId} ${environmentId}`;

/** A refused operation. `execute` throws the error, or names the flags of all such errors in one. */
export class Refusal extends Error {
  readonly error: ApiError;
  /** Groups the refusals of a bulk change, so that one error can name all flags. */
  readonly fault: Fault | undefined;
  /** The name in that error: the key or the id of a flag. */
  readonly subject: string;

  constructor(error: ApiError, fault?: Fault, subject: string | number = "") {
    super(error.message);
    this.error = error;
    this.fault = fault;
    this.subject = String(subject);
  }
}

export type Fault =
  | "unknown-flag"
  | "version"
  | "archived"
  | "required"
  | "requires-archived"
  | "too-many-tags";

/** The ids of rows by what the rows have, such as the key of a required flag. */
class Index<Key> {
  readonly #ids = new Map<Key, Set<number>>();

  of(key: Key): Iterable<number> {
    return this.#ids.get(key) ?? [];
  }

  add(id: number, keys: Iterable<Key>): void {
    for (const key of keys) {
      const ids = this.#ids.get(key);
      if (ids) ids.add(id);
      else this.#ids.set(key, new Set([id]));
    }
  }

  remove(id: number, keys: Iterable<Key>): void {
    for (const key of keys) this.#ids.get(key)?.delete(id);
  }
}

const requiredBy = ({ prerequisites }: FlagState) => prerequisites.map(({ flagKey }) => flagKey);
const tagsOf = ({ attachedTags }: FlagState) => attachedTags.map(({ tagId }) => tagId);

/**
 * Flags by their ids. They are also found by their keys, by the keys of the flags that they require, and
 * by the ids of their tags, without a search: a list of operations can have thousands of flags.
 */
export class Flags extends Map<number, FlagState> {
  readonly #ids = new Map<string, number>();
  readonly #requiring = new Index<string>();
  readonly #tagged = new Index<number>();

  constructor(flags: Iterable<FlagState>) {
    super();
    for (const flag of flags) this.set(flag.id, flag);
  }

  override set(id: number, flag: FlagState): this {
    this.#forget(id);
    this.#ids.set(flag.key, id);
    this.#requiring.add(id, requiredBy(flag));
    this.#tagged.add(id, tagsOf(flag));
    return super.set(id, flag);
  }

  override delete(id: number): boolean {
    this.#forget(id);
    return super.delete(id);
  }

  of(ref: FlagRef): FlagState | undefined {
    const id = "flagId" in ref ? ref.flagId : this.#ids.get(ref.flagKey);
    return id === undefined ? undefined : this.get(id);
  }

  requiring(key: string): FlagState[] {
    return this.#rowsOf(this.#requiring.of(key));
  }

  tagged(tagId: number): FlagState[] {
    return this.#rowsOf(this.#tagged.of(tagId));
  }

  #rowsOf(ids: Iterable<number>): FlagState[] {
    return Array.from(ids).flatMap((id) => this.get(id) ?? []);
  }

  #forget(id: number): void {
    const flag = this.get(id);
    if (!flag) return;
    this.#requiring.remove(id, requiredBy(flag));
    this.#tagged.remove(id, tagsOf(flag));
  }
}

/** The rows of one project by their ids, which are also found by their names. */
export class NamedRows<Row> extends Map<number, Row> {
  readonly #ids = new Map<string, number>();
  readonly #nameOf: (row: Row) => string;

  constructor(rows: ReadonlyMap<number, Row>, nameOf: (row: Row) => string) {
    super();
    this.#nameOf = nameOf;
    for (const [id, row] of rows) this.set(id, row);
  }

  override set(id: number, row: Row): this {
    this.#ids.set(this.#nameOf(row), id);
    return super.set(id, row);
  }

  named(name: string): Row | undefined {
    const id = this.#ids.get(name);
    const row = id === undefined ? undefined : this.get(id);
    // A row that was renamed is still in the index under the name before.
    return row !== undefined && this.#nameOf(row) === name ? row : undefined;
  }
}
