import type { Pausing } from "@feature-flags/evaluation/pausing";
import { conflict, invalid } from "../../core/errors/api-error.ts";
import { listed, MAX_NAMED, naming } from "../../core/errors/naming.ts";
import {
  cycleErrors,
  type Cycles,
  cyclesOf,
  requiredErrors,
  type Requirements,
} from "../../core/flags/prerequisites.ts";
import { servedVariants, usedSegments } from "../../core/strategies/strategy.ts";
import type { FlagState } from "../../model/flags/flag-state.ts";
import type { Operation, OperationOf } from "./operation.ts";
import type { StrategyRow } from "../../model/strategies/queries.ts";
import { Refusal, strategyKey, type VariantUse } from "./state.ts";
import type { Work } from "./work.ts";

/** The work at the end of a list of operations, and what several checks look up in it. */
interface Result {
  readonly work: Work;
  /** The keys that each flag of the project requires. Empty if no operation sets prerequisites. */
  readonly requirements: Requirements;
  readonly cycles: Cycles;
  /** The strategies by their flags. Empty if no operation sets variants. */
  readonly strategiesOf: ReadonlyMap<number, readonly StrategyRow[]>;
  /** Who uses the variants of each flag, as read. */
  readonly variantUsesOf: ReadonlyMap<number, readonly VariantUse[]>;
  /** The keys of the flags that use each segment. Empty if no operation deletes one. */
  readonly segmentUsers: ReadonlyMap<number, ReadonlySet<string>>;
  /** How many more errors name their cycle. */
  namedCycles: number;
}

/**
 * Returns the check of the rules about the result of all operations together: prerequisites, and the
 * uses of variants and segments. The check throws `Refusal` for an operation whose target breaks a
 * rule at the end of the list. It looks up what was computed here once for the whole list, so that
 * the time does not grow with the square of the list.
 */
export function* relationCheck(
  work: Work,
  operations: readonly Operation[],
): Pausing<(operation: Operation) => void> {
  const has = (isIt: (operation: Operation) => boolean) => operations.some(isIt);
  const setsPrerequisites = has(
    ({ kind, input }) =>
      (kind === "flag.create" || kind === "flag.update") && input.prerequisites !== undefined,
  );
  const setsVariants = has(
    ({ kind, input }) => kind === "flag.update" && input.variants !== undefined,
  );
  const requirements: Requirements = setsPrerequisites ? yield* requirementsOf(work) : new Map();
  const result: Result = {
    work,
    requirements,
    cycles: yield* cyclesOf(requirements),
    strategiesOf: setsVariants
      ? Map.groupBy(work.strategies.values(), ({ flagId }) => flagId)
      : new Map(),
    variantUsesOf: Map.groupBy(work.initial.variantUses, ({ flagId }) => flagId),
    segmentUsers: has(({ kind }) => kind === "segment.delete")
      ? yield* segmentUsersOf(work)
      : new Map(),
    namedCycles: MAX_NAMED,
  };
  return (operation) => assertRelations(result, operation);
}

function assertRelations(result: Result, operation: Operation): void {
  const { work } = result;
  switch (operation.kind) {
    case "flag.create":
      return assertPrerequisites(result, work.flags.of({ flagKey: operation.input.key }));
    case "flag.clone": {
      const clone = work.flags.of({ flagKey: operation.input.key });
      return assertRequiresNoArchived(work, clone, {
        source: work.initial.flags.of(operation.target),
        action: "cloned",
      });
    }
    case "flag.update": {
      const flag = work.flags.of(operation.target);
      if (operation.input.prerequisites) assertPrerequisites(result, flag);
      if (flag && operation.input.variants) assertVariantsUnused(result, flag);
      return;
    }
    case "flag.unarchive": {
      const flag = work.flags.of(operation.target);
      return assertRequiresNoArchived(work, flag, { source: flag, action: "unarchived" });
    }
    case "flag.archive":
      return assertNotRequired(result, operation);
    case "segment.delete":
      return assertSegmentUnused(result, operation.target.id);
    default:
  }
}

/** Throws: 400 for prerequisites that are not allowed, if they differ from those that were read. */
function assertPrerequisites(result: Result, flag: FlagState | undefined): void {
  if (!flag) return;
  const { work, requirements, cycles } = result;
  const { key, prerequisites } = flag;
  const before = work.initial.flags.get(flag.id)?.prerequisites ?? [];
  if (prerequisites.length === 0 || JSON.stringify(prerequisites) === JSON.stringify(before))
    return;
  const isNamed = result.namedCycles > 0;
  const closed = cycleErrors(key, prerequisites, { requirements, cycles, isNamed });
  result.namedCycles -= closed.length;
  // A list can archive the flag after it has required another flag, and then the required flag.
  const mayRequireArchived = flag.archived && work.initial.flags.get(flag.id)?.archived === false;
  const errors =
    closed.length > 0
      ? closed
      : prerequisites.flatMap((one, n) => {
          const required = work.flags.of(one);
          const archived = required?.archived === true && !mayRequireArchived;
          return requiredErrors(one, n, required && { ...required, archived });
        });
  if (errors.length > 0) throw new Refusal(invalid(errors));
}

/** Returns the keys that each flag of the project requires after the operations. */
function* requirementsOf({ initial, flags }: Work): Pausing<Requirements> {
  const requirements = new Map(initial.required?.requirements);
  for (const { key } of initial.flags.values()) requirements.delete(key);
  for (const { key, prerequisites } of flags.values()) {
    yield;
    requirements.set(
      key,
      prerequisites.map(({ flagKey }) => flagKey),
    );
  }
  return requirements;
}

/** Throws: 409 if a flag that is not archived requires an archived flag. */
function assertRequiresNoArchived(
  { flags }: Work,
  flag: FlagState | undefined,
  { source, action }: { readonly source: FlagState | undefined; readonly action: string },
): void {
  if (!flag || flag.archived) return;
  const links = new Map(source?.requires.map((linked) => [linked.key, linked]));
  const archived = flag.prerequisites
    .map(({ flagKey }) => flags.of({ flagKey }) ?? links.get(flagKey))
    .filter((one) => one?.archived)
    .flatMap((one) => one?.key ?? [])
    .toSorted();
  if (archived.length === 0) return;
  const message = `The flag cannot be ${action}, because it requires these archived flags`;
  const subject = `${flag.key} (requires ${archived.join(", ")})`;
  throw new Refusal(conflict(`${message}: ${archived.join(", ")}`), "requires-archived", subject);
}

/** Throws: 409 if a flag that is not archived requires a flag that is. */
function assertNotRequired({ work }: Result, { target }: OperationOf<"flag.archive">): void {
  const flag = work.flags.of(target);
  if (!flag?.archived) return;
  const dependents = work
    .dependentsOf(flag)
    .filter(({ archived }) => !archived)
    .map(({ key }) => key)
    .toSorted();
  if (dependents.length === 0) return;
  const message = "The flag cannot be archived, because these flags require it";
  const subject = `${flag.key} (required by ${listed(dependents)})`;
  throw new Refusal(conflict(naming(message, dependents)), "required", subject);
}

/** Throws: 409 if a variant that an operation removed is served or required. */
function assertVariantsUnused(
  { work: { initial, flags }, strategiesOf, variantUsesOf }: Result,
  flag: FlagState,
): void {
  const kept = new Set(flag.variants.map(({ key }) => key));
  const read = (variantUsesOf.get(flag.id) ?? []).filter((use) =>
    use.environmentId === null
      ? use.requiredBy !== null && !initial.flags.of({ flagKey: use.requiredBy })
      : !initial.strategies.has(strategyKey(flag.id, use.environmentId)),
  );
  const served = (strategiesOf.get(flag.id) ?? []).flatMap(({ content, environmentName }) =>
    servedVariants(content).map((variant) => ({ variant, environment: environmentName })),
  );
  const required = flags
    .requiring(flag.key)
    .flatMap(({ key, prerequisites }) =>
      prerequisites
        .filter(({ flagKey }) => flagKey === flag.key)
        .flatMap(({ variants = [] }) => variants.map((variant) => ({ variant, requiredBy: key }))),
    );
  const uses = [...read, ...served, ...required].filter(({ variant }) => !kept.has(variant));
  if (uses.length > 0) {
    const texts = [...new Set(uses.map(textOf))].toSorted();
    throw new Refusal(
      conflict(`A variant that is in use cannot be removed: ${listed(texts, "; ")}`),
    );
  }
}

type Use = Partial<Pick<VariantUse, "environment" | "requiredBy">> & Pick<VariantUse, "variant">;

const textOf = ({ variant, environment, requiredBy }: Use): string =>
  typeof environment === "string"
    ? `environment ${environment} serves ${variant}`
    : `flag ${requiredBy ?? ""} requires ${variant}`;

/** Returns the keys of the flags that use each segment after the operations. */
function* segmentUsersOf({
  initial,
  strategies,
  flags,
}: Work): Pausing<ReadonlyMap<number, ReadonlySet<string>>> {
  const users = new Map<number, Set<string>>();
  const isDeleted = (flagId: number) => initial.flags.has(flagId) && !flags.has(flagId);
  const add = (segmentId: number, flagId: number, key: string) => {
    if (isDeleted(flagId)) return;
    const keys = users.get(segmentId);
    if (keys) keys.add(key);
    else users.set(segmentId, new Set([key]));
  };
  for (const { segmentId, flagId, flagKey, environmentId } of initial.segmentUses) {
    yield;
    if (!initial.strategies.has(strategyKey(flagId, environmentId)))
      add(segmentId, flagId, flagKey);
  }
  for (const { flagId, flag, content } of strategies.values()) {
    yield content.rules;
    for (const segmentId of usedSegments(content)) add(segmentId, flagId, flag.key);
  }
  return users;
}

/** Throws: 409 if flags use a segment that an operation deletes. */
function assertSegmentUnused({ segmentUsers }: Result, segmentId: number): void {
  const keys = segmentUsers.get(segmentId);
  if (keys)
    throw new Refusal(
      conflict(
        naming("The segment cannot be deleted, because these flags use it", [...keys].toSorted()),
      ),
    );
}
