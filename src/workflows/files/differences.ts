import { canonicalJson } from "@feature-flags/file/json";
import {
  type Difference,
  differencesOf,
  type FieldPlace,
  namedFields,
  type NamedResource,
  pathOf,
  resourceOf,
  resourcesOf,
} from "@feature-flags/file/diff";
import type { FileFlag, FlagsFile } from "@feature-flags/file/file";
import type { ProtectedChoice, Warning } from "@feature-flags/file/plan";
import { resolveFile } from "@feature-flags/file/resolve";
import type { Pausing } from "@feature-flags/evaluation/pausing";
import { sha256 } from "../../core/lib/digest.ts";
import { inTurns, Turns } from "../../core/lib/turns.ts";
import { assertOperationsFit } from "../../db/transaction-size.ts";
import type { Digests } from "./field-digests.ts";
import type { FoundNames, Rename } from "./renames.ts";
import type { ManagedRow, Ownership } from "../../model/files/ownership-queries.ts";
import { type Pruning, pruned } from "./archive-missing.ts";
import type { FlagOfFile, ProjectContent } from "../../model/files/queries.ts";
import { assertConsistent } from "./contradictions.ts";
import { assertReferences } from "./references.ts";
import { releasedFields } from "./released-fields.ts";
import { type Ids, resourceKey, type Versions } from "./rows.ts";
import { completeFile } from "./to-file.ts";

/** What a caller asks for, with a file that is within the limits. */
export interface FileRequest extends Pruning {
  readonly file: FlagsFile;
  /** The JSON Pointers of conflicts, or of anything above them, where the file wins. */
  readonly overwrite: readonly string[];
  /** The names of the only environments whose strategies change. Undefined: all. */
  readonly environments?: readonly string[] | undefined;
  /** Whether the file manages the fields that it names from then on. Default: true. */
  readonly manage?: boolean | undefined;
  /** What happens to changes that need an approval. */
  readonly protectedEnvironments?: ProtectedChoice | undefined;
}

/** A field whose value in the project is not what the file was applied with. */
export interface FoundConflict {
  readonly place: FieldPlace;
  readonly current: unknown;
  readonly wanted: unknown;
  /** The other manager that owns the field. Null: this file's manager owns it, and somebody has changed it. */
  readonly manager: string | null;
}

/** What a file changes in a project, before it is planned as operations. */
export interface Draft {
  /** Identifies the changes. */
  readonly id: string;
  /** Who owns the fields that the file names. Null: nobody, because the request has `manage: false`. */
  readonly manager: string | null;
  /** The file, with the ids of rules and the slots of splits. */
  readonly file: FlagsFile;
  /** All resources that the file names, in the environments of the request. */
  readonly resources: readonly NamedResource[];
  readonly differences: readonly Difference[];
  readonly renames: readonly Rename[];
  readonly archived: readonly FlagOfFile[];
  /** The flags that the file had archived, and that it names again. */
  readonly restored: readonly FlagOfFile[];
  readonly conflicts: readonly FoundConflict[];
  readonly released: readonly FieldPlace[];
  readonly warnings: readonly Warning[];
  /** The keys of the managed rows that stay as they are, because their changes wait for an approval. */
  readonly held: ReadonlySet<string>;
}

/** A file, and what was read of its project. */
export interface Given {
  readonly content: ProjectContent;
  readonly ownership: Ownership;
  readonly request: FileRequest;
}

/** A file and its project, with what every reader of their comparison looks up. */
export interface Compared extends Given {
  readonly ids: Ids;
  readonly versions: Versions;
  readonly digests: Digests;
  readonly draft: Draft;
}

interface Uncompared extends Omit<Compared, "draft">, FoundNames {
  readonly manager: string | null;
  /** The rows of the manager. */
  readonly mine: readonly ManagedRow[];
}

/**
 * Compares a file with a project. Throws: 400 for a file of another project, for unknown names, for
 * more archived flags than allowed, and for more changes than one transaction can have; 409 for an archived flag that the file switches on.
 */
export async function draftOf(given: Uncompared): Promise<Draft> {
  const { content, ownership, request, manager, mine, names, renames } = given;
  const asked = inEnvironments(request.file, request.environments);
  const turns = new Turns();
  const current = await inTurns(completeFile(content, names), turns);
  const others = ownership.rows.filter((row) => row.manager !== manager);
  const owners = { content, mine, others, pruning: request };
  const { archived, restored, warnings } = pruned(asked, owners);
  await inTurns(assertReferences(request, { content, current, restored }), turns);
  const existing = { content, current, renames, archived, restored };
  await inTurns(assertConsistent(request.file, existing), turns);
  const resolved = await resolveFile(asked, current, (strategy) => turns.next(strategy));
  const resources = resourcesOf(resolved.file, current);
  const overwrite = new Set(request.overwrite);
  const found = await compared(resources, { ...given, overwrite, turns });
  assertOperationsFit(await inTurns(countOperations(found.differences), turns));
  const isKept = ({ kind, to, isElsewhere }: Rename) =>
    isElsewhere && !isOverwritten(overwrite, pathOf({ kind, key: to }));
  const elsewhere = renames.filter(isKept);
  const draft = {
    manager,
    file: resolved.file,
    resources,
    differences: found.differences,
    renames: renames.filter((one) => !isKept(one)),
    archived,
    restored,
    conflicts: [
      ...elsewhere.map(({ kind, from, to }) => ({
        place: { kind, key: to },
        current: from,
        wanted: to,
        manager: null,
      })),
      ...found.conflicts,
    ],
    released: await inTurns(
      releasedFields(resolved.file, { content, mine, environments: request.environments }),
      turns,
    ),
    warnings: [...warnings, ...resolved.warnings],
    held: new Set<string>(),
  };
  return { ...draft, id: await sha256(await inTurns(identity(content, draft), turns)) };
}

/** Returns the file without the strategies in other environments. */
function inEnvironments(file: FlagsFile, names: readonly string[] | undefined): FlagsFile {
  if (!names || !file.flags) return file;
  const flags = Object.entries(file.flags).map(([key, flag]): [string, FileFlag] => {
    const kept = Object.entries(flag.environments ?? {}).filter(([name]) => names.includes(name));
    return [key, { ...flag, environments: Object.fromEntries(kept) }];
  });
  return { ...file, flags: Object.fromEntries(flags) };
}

/** Whether one of the pointers is a path or above it. Looks up each part of the path from the root on. */
function isOverwritten(overwrite: ReadonlySet<string>, path: string): boolean {
  for (let end = path.length; end >= 0; end = end === 0 ? -1 : path.lastIndexOf("/", end - 1))
    if (overwrite.has(path.slice(0, end))) return true;
  return false;
}

interface Context extends Uncompared {
  readonly overwrite: ReadonlySet<string>;
  readonly turns: Turns;
}

/** Returns the differences that the file may apply, and the conflicts. */
async function compared(
  resources: readonly NamedResource[],
  { ownership, manager, ids, digests, renames, overwrite, turns }: Context,
) {
  const differences: Difference[] = [];
  const conflicts: FoundConflict[] = [];
  const renamed = new Set(renames.map(({ kind, to }) => `${kind} ${to}`));
  const owners = Map.groupBy(ownership.rows, ({ kind, entityId, environmentId }) =>
    resourceKey(kind, entityId, environmentId),
  );
  for (const resource of resources) {
    // The strategies of a flag are resources of their own.
    await turns.next({ ...resource.wanted, environments: undefined });
    const all = differencesOf(resource);
    const id = ids.of(resource);
    const rows =
      id === undefined
        ? undefined
        : owners.get(resourceKey(resource.kind, id, ids.environment(resource)));
    if (!rows) {
      differences.push(...all);
      continue;
    }
    const mine = rows.find((row) => row.manager === manager)?.fields ?? {};
    const byField = new Map(all.map((one) => [one.field, one]));
    for (const field of namedFields(resource.kind, resource.wanted)) {
      const { kind, key: name, environment } = resource;
      const place = { kind, key: name, environment, field };
      const difference = byField.get(field);
      const other = rows.find((row) => row.manager !== manager && row.fields[field] !== undefined);
      const applied = mine[field];
      const isChanged =
        difference !== undefined &&
        applied !== undefined &&
        applied !== (await digests.of(resource, field, difference.before));
      // Two files cannot own the same field. An import owns none, so that only a change, or a new name,
      // is a conflict.
      const isChange = difference !== undefined || renamed.has(`${kind} ${name}`);
      const isOthers = other !== undefined && (manager !== null || isChange);
      if ((isOthers || isChanged) && !isOverwritten(overwrite, pathOf(place)))
        conflicts.push({
          place,
          current: valueOf(resource.current, field),
          wanted: valueOf(resource.wanted, field),
          manager: other?.manager ?? null,
        });
      else if (difference) differences.push(difference);
    }
  }
  return { differences, conflicts };
}

/** Returns how many operations make the differences: one for each resource, in whose order they are. */
function* countOperations(differences: readonly Difference[]): Pausing<number> {
  let count = 0;
  let last: Difference | undefined;
  for (const one of differences) {
    const { kind, key, environment, field, after } = one;
    yield after;
    if (last?.kind === kind && last.key === key && last.environment === environment) continue;
    last = one;
    const isNewFlag = kind === "flag" && field === undefined;
    const strategies = isNewFlag ? Object.entries((after as FileFlag).environments ?? {}) : [];
    count += 1 + strategies.filter(([name, wanted]) => changesDefault(key, name, wanted)).length;
  }
  return count;
}

/** Whether a strategy of a new flag differs from the one that every new flag has. */
const changesDefault = (key: string, environment: string, wanted: object): boolean =>
  differencesOf({ kind: "strategy", key, environment, wanted, current: {} }).length > 0;

const valueOf = (resource: object | undefined, field: string): unknown =>
  (resource as Readonly<Record<string, unknown>> | undefined)?.[field];

/**
 * Returns the text of which the id of a draft is the SHA-256: what it changes, with slots and the ids of
 * rules, and the versions of the segments and flags to which changed resources refer. Other changes
 * keep it.
 */
function* identity(
  { project, segments, flags }: ProjectContent,
  draft: Omit<Draft, "id">,
): Pausing<string> {
  const { manager, differences, renames, archived, restored, resources } = draft;
  const changed = new Set<string>();
  const changes: string[] = [];
  for (const one of differences) {
    yield one.after;
    changed.add(pathOf(resourceOf(one)));
    const { before, after, ...place } = one;
    changes.push(canonicalJson([pathOf(place), before ?? null, after]));
  }
  const used = new Set<string>();
  const required = new Set<string>();
  for (const resource of resources) {
    yield;
    const paths = [pathOf(resourceOf(resource)), pathOf({ kind: "flag", key: resource.key })];
    if (!paths.some((path) => changed.has(path))) continue;
    const {
      segments: own = [],
      rules = [],
      prerequisites = [],
    } = resource.wanted as {
      readonly segments?: readonly string[];
      readonly rules?: readonly { readonly segments?: readonly string[] }[];
      readonly prerequisites?: readonly { readonly flagKey: string }[];
    };
    for (const name of [...own, ...rules.flatMap((rule) => rule.segments ?? [])]) used.add(name);
    for (const { flagKey } of prerequisites) required.add(flagKey);
  }
  const others = [
    renames.map(({ kind, id, to }) => [kind, id, to]),
    archived.map(({ id }) => id),
    restored.map(({ id }) => id),
    segments.flatMap(({ id, name, version }) => (used.has(name) ? [[id, version]] : [])),
    flags.flatMap(({ id, key, version }) => (required.has(key) ? [[id, version]] : [])),
  ];
  const head = [project.projectId, manager].map((one) => JSON.stringify(one));
  return `[${[...head, `[${changes.join(",")}]`, ...others.map(canonicalJson)].join(",")}]`;
}
