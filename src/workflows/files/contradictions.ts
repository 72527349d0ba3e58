import { pathOf } from "@feature-flags/file/diff";
import type { FileFlag, FilePrerequisite, FileServe, FlagsFile } from "@feature-flags/file/file";
import { pointer } from "@feature-flags/file/pointer";
import { own } from "@feature-flags/file/resolve";
import type { Pausing } from "@feature-flags/evaluation/pausing";
import { type FieldError, invalid } from "../../core/errors/api-error.ts";
import { MAX_NAMED } from "../../core/errors/naming.ts";
import { cycleErrors, cyclesOf, requiredErrors } from "../../core/flags/prerequisites.ts";
import { BOOLEAN_VARIANTS } from "../../core/flags/variants.ts";
import { unfitValues } from "../../model/contexts/value-set.ts";
import type { Rename } from "./renames.ts";
import type { FlagOfFile, ProjectContent } from "../../model/files/queries.ts";

interface Existing {
  readonly content: ProjectContent;
  /** The project as a file. */
  readonly current: FlagsFile;
  readonly renames: readonly Rename[];
  /** The flags that the file archives, because it lacks them. */
  readonly archived: readonly FlagOfFile[];
  /** The archived flags that the file unarchives. */
  readonly restored: readonly FlagOfFile[];
}

/**
 * Checks that the parts of a file fit each other, before anything is planned: what a rule serves and what
 * a flag requires exists after the apply, also where the field itself does not change. Throws: 400 with
 * the JSON Pointers of the first `MAX_NAMED` faults.
 */
export function* assertConsistent(file: FlagsFile, existing: Existing): Pausing<void> {
  const faults = new Faults();
  renameFaults(file, existing, faults);
  yield* contextFaults(file, existing, faults);
  yield* serveFaults(file, existing, faults);
  yield* prerequisiteFaults(file, existing, faults);
  if (faults.found > 0) throw invalid(faults.named, faults.found);
}

/** The first faults, and the number of all. */
class Faults {
  readonly named: FieldError[] = [];
  found = 0;

  get isFull(): boolean {
    return this.named.length >= MAX_NAMED;
  }

  add(field: string, message: string): void {
    this.found += 1;
    if (!this.isFull) this.named.push({ field, message });
  }
}

/** Finds the segments and tags that the file gives two names. */
function renameFaults(file: FlagsFile, { renames }: Existing, faults: Faults): void {
  const names = new Map<string, string>();
  for (const { kind, id, from, to } of renames) {
    const row = `${kind} ${id}`;
    const other = names.get(row);
    names.set(row, other ?? to);
    if (other === undefined) continue;
    const named = kind === "segment" ? file.segments : file.tags;
    const isNamed = own<{ renamedFrom?: unknown }>(named, to)?.renamedFrom !== undefined;
    faults.add(
      pathOf({ kind, key: to, field: isNamed ? "renamedFrom" : undefined }),
      `${from} is renamed to ${other} already; give it one name`,
    );
  }
}

/** Finds the values of contexts that do not fit the type of the context after the apply. */
function* contextFaults(
  { contexts = {} }: FlagsFile,
  { current }: Existing,
  faults: Faults,
): Pausing<void> {
  for (const [contextKey, { contextType, values }] of Object.entries(contexts)) {
    if (!values) continue;
    yield values;
    const type = contextType ?? own(current.contexts, contextKey)?.contextType ?? "string";
    const texts = values.map((one) => (typeof one === "string" ? one : one.value));
    for (const { index, message } of unfitValues({ contextKey, contextType: type }, texts)) {
      const at = typeof values[index] === "string" ? [index] : [index, "value"];
      faults.add(
        `${pathOf({ kind: "context", key: contextKey, field: "values" })}${pointer(...at)}`,
        message,
      );
    }
  }
}

/** Returns the variants that a flag has after the apply. */
const variantsOf = (flag: FileFlag, before: FileFlag | undefined) =>
  flag.variants ??
  before?.variants ??
  ((flag.valueType ?? "boolean") === "boolean" ? BOOLEAN_VARIANTS : []);

/** Finds the variants that rules serve and that the flag does not have after the apply. */
function* serveFaults(
  { flags = {} }: FlagsFile,
  { current }: Existing,
  faults: Faults,
): Pausing<void> {
  for (const [key, flag] of Object.entries(flags)) {
    const variants = variantsOf(flag, own(current.flags, key));
    const known = new Set(variants.map((variant) => variant.key));
    for (const [environment, strategy] of Object.entries(flag.environments ?? {})) {
      const { rules = [] } = strategy;
      yield rules;
      const check = (rule: string, serve: FileServe | undefined) => {
        for (const place of unknownVariants(serve, known)) {
          const path = pathOf({ kind: "strategy", key, environment });
          faults.add(`${path}${rule}/serve${pointer(...place)}`, "is not a variant of the flag");
        }
      };
      check("", strategy.serve);
      for (const [n, { serve }] of rules.entries()) check(`/rules/${n}`, serve);
    }
  }
}

/** Returns the places inside of what a rule serves that name unknown variants. */
function unknownVariants(
  serve: FileServe | undefined,
  known: ReadonlySet<string>,
): readonly (readonly string[])[] {
  if (!serve) return [];
  if ("variant" in serve) return known.has(serve.variant) ? [] : [["variant"]];
  return Object.entries(serve.weights).flatMap(([variant, weight]) =>
    weight > 0 && !known.has(variant) ? [["weights", variant]] : [],
  );
}

/** Finds the prerequisites that no flag meets after the apply, and those that close a cycle. */
function* prerequisiteFaults(
  { flags = {} }: FlagsFile,
  { content, current, archived, restored }: Existing,
  faults: Faults,
): Pausing<void> {
  const requirements = new Map<string, readonly string[]>();
  for (const { key, prerequisites } of content.flags) {
    yield;
    requirements.set(key, keysOf(prerequisites));
  }
  for (const [key, { prerequisites }] of Object.entries(flags)) {
    yield;
    if (prerequisites) requirements.set(key, keysOf(prerequisites));
  }
  const cycles = yield* cyclesOf(requirements);
  const back = new Set(restored.map(({ key }) => key));
  const gone = new Set(archived.map(({ key }) => key));
  const away = new Set(
    content.flags.flatMap((flag) => (flag.archived && !back.has(flag.key) ? flag.key : [])),
  );
  for (const [key, { prerequisites = [] }] of Object.entries(flags)) {
    yield;
    if (prerequisites.length === 0) continue;
    const before = new Set(keysOf(own(current.flags, key)?.prerequisites ?? []));
    const wanted = prerequisites.map(({ flagKey, variants, enabled = true }) => ({
      flagKey,
      enabled,
      variants,
    }));
    const graph = { requirements, cycles, isNamed: !faults.isFull };
    const errors = cycleErrors(key, wanted, graph);
    for (const [n, one] of wanted.entries()) {
      const { flagKey } = one;
      const other = own(flags, flagKey);
      const now = own(current.flags, flagKey);
      const required = (other ?? now) && {
        variants: other ? variantsOf(other, now) : (now?.variants ?? []),
        // A flag that stays archived may go on to require a flag that is archived.
        archived: away.has(flagKey) && !(away.has(key) && before.has(flagKey)),
      };
      errors.push(...requiredErrors(one, n, required));
      if (gone.has(flagKey) && !away.has(key))
        errors.push({ field: `prerequisites.${n}.flagKey`, message: PRUNED });
    }
    const path = pathOf({ kind: "flag", key });
    for (const { field, message } of errors)
      faults.add(faults.isFull ? path : `${path}${pointer(...field.split("."))}`, message);
  }
}

const keysOf = (prerequisites: readonly FilePrerequisite[]) =>
  prerequisites.map(({ flagKey }) => flagKey);

const PRUNED =
  "is a flag that prune archives, because the file lacks it; add the flag to the file, or remove the prerequisite";
