import { conflict, type FieldError, invalid } from "../../core/errors/api-error.ts";
import {
  cycleErrors,
  type FlagPrerequisite,
  isAcyclic,
  type Requirements,
} from "../../core/flags/prerequisites.ts";
import { servedVariants, usedSegments } from "../../core/strategies/strategy.ts";
import type { FlagState } from "../flags/flag-state.ts";
import type { Operation, OperationOf } from "./operation.ts";
import { Refusal, strategyKey, type VariantUse } from "./state.ts";
import { requirersOf, type Work } from "./work.ts";

/** The work at the end of a list of operations, and what several checks look up in it. */
interface Result {
  readonly work: Work;
  /** Returns the keys that each flag of the project requires. */
  readonly requirements: () => Requirements;
  /** Whether no flag of the project requires itself. */
  readonly isAcyclic: () => boolean;
  /** Returns the flags in the work that require other flags. */
  readonly requiring: () => readonly FlagState[];
}

/**
 * Returns the check of the rules about the result of all operations together: prerequisites, and the
 * uses of variants and segments. The check throws `Refusal` for an operation whose target breaks a
 * rule at the end of the list.
 */
export function relationCheck(work: Work): (operation: Operation) => void {
  const requirements = once(() => requirementsOf(work));
  const result = {
    work,
    requirements,
    isAcyclic: once(() => isAcyclic(requirements())),
    requiring: once(() => work.requiringFlags()),
  };
  return (operation) => assertRelations(result, operation);
}

/** Returns a function that computes a value when it is first called. */
function once<T>(compute: () => T): () => T {
  let computed: { readonly value: T } | undefined;
  return () => (computed ??= { value: compute() }).value;
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
      return assertSegmentUnused(work, operation.target.id);
    default:
  }
}

/** Throws: 400 for prerequisites that are not allowed, if they differ from those that were read. */
function assertPrerequisites(
  { work, requirements, ...result }: Result,
  flag: FlagState | undefined,
): void {
  if (!flag) return;
  const { key, prerequisites } = flag;
  const before = work.initial.flags.get(flag.id)?.prerequisites ?? [];
  if (prerequisites.length === 0 || JSON.stringify(prerequisites) === JSON.stringify(before))
    return;
  const cycles = result.isAcyclic() ? [] : cycleErrors(key, prerequisites, requirements());
  // A list can archive the flag after it has required another flag, and then the required flag.
  const mayRequireArchived = flag.archived && work.initial.flags.get(flag.id)?.archived === false;
  const errors =
    cycles.length > 0
      ? cycles
      : prerequisites.flatMap((one, n) => faults(work, one, { n, mayRequireArchived }));
  if (errors.length > 0) throw new Refusal(invalid(errors));
}

function faults(
  work: Work,
  { flagKey, variants = [] }: FlagPrerequisite,
  { n, mayRequireArchived }: { readonly n: number; readonly mayRequireArchived: boolean },
): FieldError[] {
  const field = `prerequisites.${n}.flagKey`;
  const required = work.flags.of({ flagKey });
  if (!required) return [{ field, message: "is not a flag of the project" }];
  const known = new Set(required.variants.map(({ key }) => key));
  const unknown = variants.filter((key) => !known.has(key));
  return [
    ...(required.archived && !mayRequireArchived
      ? [{ field, message: "is an archived flag" }]
      : []),
    ...(unknown.length > 0
      ? [
          {
            field: `prerequisites.${n}.variants`,
            message: `must be variants of the flag; these are not: ${unknown.join(", ")}`,
          },
        ]
      : []),
  ];
}

/** Returns the keys that each flag of the project requires after the operations. */
function requirementsOf({ initial, flags }: Work): Requirements {
  const requirements = new Map(initial.required?.requirements);
  for (const { key } of initial.flags.values()) requirements.delete(key);
  for (const { key, prerequisites } of flags.values())
    requirements.set(
      key,
      prerequisites.map(({ flagKey }) => flagKey),
    );
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
function assertNotRequired(
  { work, requiring }: Result,
  { target }: OperationOf<"flag.archive">,
): void {
  const flag = work.flags.of(target);
  if (!flag?.archived) return;
  const dependents = work
    .dependentsOf(flag, requiring())
    .filter(({ archived }) => !archived)
    .map(({ key }) => key)
    .toSorted();
  if (dependents.length === 0) return;
  const message = "The flag cannot be archived, because these flags require it";
  const subject = `${flag.key} (required by ${dependents.join(", ")})`;
  throw new Refusal(conflict(`${message}: ${dependents.join(", ")}`), "required", subject);
}

/** Throws: 409 if a variant that an operation removed is served or required. */
function assertVariantsUnused({ work, requiring }: Result, flag: FlagState): void {
  const { initial, strategies } = work;
  const kept = new Set(flag.variants.map(({ key }) => key));
  const read = initial.variantUses.filter(
    (use) =>
      use.flagId === flag.id &&
      (use.environmentId === null
        ? !initial.flags.of({ flagKey: use.requiredBy ?? "" })
        : !initial.strategies.has(strategyKey(flag.id, use.environmentId))),
  );
  const served = [...strategies.values()]
    .filter(({ flagId }) => flagId === flag.id)
    .flatMap(({ content, environmentName }) =>
      servedVariants(content).map((variant) => ({ variant, environment: environmentName })),
    );
  const required = requirersOf(flag.key, requiring()).flatMap(({ key, prerequisites }) =>
    prerequisites
      .filter(({ flagKey }) => flagKey === flag.key)
      .flatMap(({ variants = [] }) => variants.map((variant) => ({ variant, requiredBy: key }))),
  );
  const uses = [...read, ...served, ...required].filter(({ variant }) => !kept.has(variant));
  if (uses.length > 0)
    throw new Refusal(
      conflict(
        `A variant that is in use cannot be removed: ${[...new Set(uses.map(textOf))].toSorted().join("; ")}`,
      ),
    );
}

type Use = Partial<Pick<VariantUse, "environment" | "requiredBy">> & Pick<VariantUse, "variant">;

const textOf = ({ variant, environment, requiredBy }: Use): string =>
  typeof environment === "string"
    ? `environment ${environment} serves ${variant}`
    : `flag ${requiredBy ?? ""} requires ${variant}`;

/** Throws: 409 if flags use a segment that an operation deletes. */
function assertSegmentUnused({ initial, strategies, flags }: Work, segmentId: number): void {
  const isDeleted = (flagId: number) => initial.flags.has(flagId) && !flags.has(flagId);
  const read = initial.segmentUses.filter(
    (use) =>
      use.segmentId === segmentId &&
      !isDeleted(use.flagId) &&
      !initial.strategies.has(strategyKey(use.flagId, use.environmentId)),
  );
  const keys = new Set([
    ...read.map(({ flagKey }) => flagKey),
    ...strategies
      .values()
      .filter(
        ({ flagId, content }) => !isDeleted(flagId) && usedSegments(content).includes(segmentId),
      )
      .map(({ flag }) => flag.key),
  ]);
  if (keys.size > 0)
    throw new Refusal(
      conflict(
        `The segment cannot be deleted, because these flags use it: ${[...keys].toSorted().join(", ")}`,
      ),
    );
}
