import {
  invalid,
  notFound,
  preconditionFailed,
  type ApiError,
} from "../../core/errors/api-error.ts";
import { CheckBudget } from "../../core/json-schema/check-values.ts";
import type { AuditEntry } from "../../db/audit.ts";
import type { DomainEvent } from "../../db/outbox.ts";
import type { ChangedRule, RuleEffect } from "../../core/protection/rule-change.ts";
import type { ValueContent, ValueRow } from "../../model/contexts/value-queries.ts";
import type { FlagState, LinkedFlag } from "../../model/flags/flag-state.ts";
import type { NewRamp, RampRow } from "../../model/ramps/queries.ts";
import type { Operation } from "./operation.ts";
import type { ContextRow } from "../../model/contexts/queries.ts";
import type { SegmentRow } from "../../model/segments/queries.ts";
import type { TagRow } from "../../model/tags/queries.ts";
import { Flags, NamedRows, type ProjectState, Refusal, type State, type Table } from "./state.ts";

/** The record of one operation that changes something. */
export interface OperationRecord {
  /** The index of the operation. */
  readonly operation: number;
  readonly audit: readonly [AuditEntry, ...AuditEntry[]];
  readonly event?: DomainEvent | undefined;
}

type Mutable<T> = T extends ReadonlyMap<infer K, infer V> ? Map<K, V> : never;

/**
 * The resources while their operations are planned, one after the other. Each operation sees what
 * earlier operations of the list have changed.
 */
export class Work {
  readonly initial: State;
  readonly now: number;
  readonly newRuleId: () => string;
  readonly flags: Flags;
  readonly strategies: Mutable<State["strategies"]>;
  readonly segments: NamedRows<SegmentRow>;
  readonly tags: NamedRows<TagRow>;
  readonly contexts: NamedRows<ContextRow>;
  /** The budget of all operations for checks of values by JSON Schemas. */
  readonly checkBudget = new CheckBudget();
  readonly records: OperationRecord[] = [];
  readonly rules: ChangedRule[] = [];
  /** The clones: the flag, and the flag whose strategies it gets. */
  readonly clones: {
    readonly flagId: number;
    readonly sourceId: number;
    readonly keepState: boolean;
  }[] = [];
  readonly contextValues: {
    readonly definitionId: number;
    readonly removed: readonly number[];
    readonly written: readonly ValueContent[];
  }[] = [];
  /** The ids of the contexts whose values a later operation replaces. */
  readonly replacedContexts = new Set<number>();
  readonly ramps: NewRamp[] = [];
  /** The active ramps that end, because somebody has changed their strategy. */
  readonly stoppedRamps: RampRow[] = [];
  readonly #lastIds: Record<Table, number>;
  #valuesByContext: ReadonlyMap<number, readonly ValueRow[]> | undefined;

  constructor(state: State, { now, newRuleId }: { now: number; newRuleId: () => string }) {
    this.initial = state;
    this.now = now;
    this.newRuleId = newRuleId;
    this.flags = new Flags(state.flags.values());
    this.strategies = new Map(state.strategies);
    this.segments = new NamedRows(state.segments, ({ name }) => name);
    this.tags = new NamedRows(state.tags, ({ name }) => name);
    this.contexts = new NamedRows(state.contexts, ({ contextKey }) => contextKey);
    this.#lastIds = {
      ...(state.project?.lastIds ?? {
        flags: 0,
        segments: 0,
        tags: 0,
        context_definitions: 0,
        ramps: 0,
      }),
    };
  }

  newId(table: Table): number {
    return ++this.#lastIds[table];
  }

  /** Returns the project of a new row. Throws: 404. */
  projectOf({ projectId }: { readonly projectId: number }): ProjectState {
    const { project } = this.initial;
    if (project?.id !== projectId) throw new Refusal(notFound("The project does not exist"));
    return project;
  }

  /** Returns all flags that require a flag: those in the work, and those that were not read. */
  dependentsOf({ key, dependents }: FlagState): LinkedFlag[] {
    const unread = dependents.filter((one) => !this.initial.flags.of({ flagKey: one.key }));
    return [...unread, ...this.flags.requiring(key)];
  }

  /** Returns the values of a context before the operations. */
  storedValues({ id }: { readonly id: number }): readonly ValueRow[] {
    this.#valuesByContext ??= Map.groupBy(
      this.initial.contextValues,
      ({ definitionId }) => definitionId,
    );
    return this.#valuesByContext.get(id) ?? [];
  }

  /** Records that an operation has changed rules of a flag. */
  changeRules(
    { key, name }: { key: string; name: string },
    environmentId: number | null,
    effect: RuleEffect,
  ): void {
    this.rules.push({ flagKey: key, flagName: name, environmentId, effect });
  }
}

/** Throws: 400 if there are field errors. */
export function assertValid(errors: Parameters<typeof invalid>[0]): void {
  if (errors.length > 0) throw new Refusal(invalid(errors));
}

/** Throws: 412 if the operation does not accept the version of its target. */
export function assertVersion(
  { ifMatch }: Pick<Operation, "ifMatch">,
  version: number,
  subject: string | number = "",
): void {
  if (ifMatch && !ifMatch.includes(version))
    throw new Refusal(preconditionFailed(), "version", subject);
}

/** Throws the error unless the row exists. Returns the row. */
export function found<T>(row: T | undefined, error: ApiError): T {
  if (row === undefined) throw new Refusal(error);
  return row;
}
