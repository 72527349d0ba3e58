import { fromFile, toConstraint } from "@feature-flags/file/activation";
import { type Difference, type FieldPlace, pathOf, resourceOf } from "@feature-flags/file/diff";
import type {
  FileActivation,
  FileContext,
  FileContextValue,
  FileFlag,
  FileFlagTag,
  FilePrerequisite,
  FileRule,
  FileSegment,
  FileServe,
  FileStrategy,
  FileTag,
} from "@feature-flags/file/file";
import { fieldsOf, usualValue } from "@feature-flags/file/schema";
import type { Pausing } from "@feature-flags/evaluation/pausing";
import type { ServeInput } from "../../core/strategies/serve.ts";
import type { ValueContent } from "../../model/contexts/value-queries.ts";
import type { NamedTag, TagInput } from "../../model/flags/attached-tags.ts";
import type { Operation, SegmentRef, StrategyInput } from "../../changes/plan/operation.ts";
import type { Compared, Draft } from "./differences.ts";
import type { Ids, Versions } from "./rows.ts";

/** An operation of a file, with the JSON Pointer of what it is about. */
export interface PlacedOperation {
  readonly operation: Operation;
  readonly path: string;
}

/**
 * Returns the operations that make the changes of a draft. What others refer to comes first: contexts,
 * tags and segments, then flags, then strategies.
 */
export function* operationsOf({
  content,
  ids,
  versions,
  draft,
}: Compared): Pausing<PlacedOperation[]> {
  const { differences, renames, restored, archived } = draft;
  const groups = Map.groupBy(differences, (one) => pathOf(resourceOf(one)));
  const renamed = renames.filter(({ kind, to }) => !groups.has(pathOf({ kind, key: to })));
  const changed: { readonly place: FieldPlace; readonly fields: Fields }[] = [
    ...renamed.map(({ kind, to }) => ({ place: { kind, key: to }, fields: {} })),
    ...[...groups.values()].flatMap((group) => {
      const [first] = group;
      return first ? [{ place: first, fields: fieldsAfter(group) }] : [];
    }),
  ];
  const resources = new Map(draft.resources.map((one) => [pathOf(resourceOf(one)), one]));
  const context = {
    projectId: content.project.projectId,
    ids,
    versions,
    isRenamed: new Set(renames.map(({ kind, to }) => pathOf({ kind, key: to }))),
    isRestored: new Set(restored.map(({ id }) => id)),
    resources,
  };
  const inOrder = (["context", "tag", "segment", "flag", "strategy"] as const).flatMap((kind) =>
    changed.filter(({ place }) => place.kind === kind),
  );
  const setArchived = (kind: "flag.archive" | "flag.unarchive", flags: Draft["archived"]) =>
    flags.map(({ id, key, version }) => ({
      operation: { kind, target: { flagId: id }, input: undefined, ifMatch: [version] },
      path: pathOf({ kind: "flag", key }),
    }));
  const changes: PlacedOperation[] = [];
  for (const { place, fields } of inOrder) {
    yield fields;
    const path = pathOf(resourceOf(place));
    changes.push(...operationsFor(place, fields, { ...context, path }));
  }
  return [
    ...setArchived("flag.unarchive", restored),
    ...changes,
    ...setArchived("flag.archive", archived),
  ];
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the new values of changed fields. Those of a new resource are all its fields. */
const fieldsAfter = (group: readonly Difference[]): Fields =>
  Object.assign(
    {},
    ...group.map(({ field, after }) => (field === undefined ? after : { [field]: after })),
  ) as Fields;

interface Context {
  readonly projectId: number;
  readonly ids: Ids;
  readonly versions: Versions;
  /** The paths of the resources that the file renames. */
  readonly isRenamed: ReadonlySet<string>;
  /** The ids of the flags that the file unarchives. */
  readonly isRestored: ReadonlySet<number>;
  /** The resources that the file names, by their paths. */
  readonly resources: ReadonlyMap<string, Draft["resources"][number]>;
}

/** Returns the operations that give a resource the new values. `path`: the place of the resource. */
function operationsFor(
  place: FieldPlace,
  fields: Fields,
  { path, ...context }: Context & { readonly path: string },
): PlacedOperation[] {
  const { projectId, ids, versions, isRenamed, isRestored } = context;
  const { kind, key } = place;
  const id = ids.of(place);
  // An operation before this one unarchives a restored flag, which increases its version.
  const earlier = kind === "flag" && id !== undefined && isRestored.has(id) ? 1 : 0;
  const ifMatch =
    id === undefined ? undefined : [versions.of(kind, id, ids.environment(place)) + earlier];
  const rename = isRenamed.has(path) ? { name: key } : {};
  const existing = { id, ifMatch, projectId, rename };
  switch (kind) {
    case "context":
      return contextOperations(key, fields, { ...existing, path });
    case "tag":
      return [{ operation: tagOperation(key, fields, existing), path }];
    case "segment":
      return [{ operation: segmentOperation(key, fields, existing), path }];
    case "flag":
      return flagOperations(key, fields, { id, ifMatch, context, path });
    default: {
      const flag = id === undefined ? { flagKey: key } : { flagId: id };
      const target = { flag, environmentId: ids.environment(place) };
      const input = toStrategyInput(fields, context, place);
      return [{ operation: { kind: "strategy.set", target, ifMatch, input }, path }];
    }
  }
}

interface Existing {
  /** Undefined: the resource is new. */
  readonly id: number | undefined;
  readonly ifMatch: readonly number[] | undefined;
}

interface ExistingItem extends Existing {
  readonly projectId: number;
  /** The new name, if the file renames the resource. */
  readonly rename: { readonly name?: string };
}

const GREY = String(usualValue(fieldsOf("tag")["color"]));

function tagOperation(
  name: string,
  fields: Fields,
  { id, ifMatch, projectId, rename }: ExistingItem,
): Operation {
  const { color } = fields as FileTag;
  return id === undefined
    ? { kind: "tag.create", target: { projectId }, input: { name, color: color ?? GREY } }
    : { kind: "tag.update", target: { id }, ifMatch, input: { ...rename, color } };
}

function segmentOperation(
  name: string,
  fields: Fields,
  { id, ifMatch, projectId, rename }: ExistingItem,
): Operation {
  const { description, constraints: given } = fields as FileSegment;
  const constraints = given?.map(toConstraint);
  if (id !== undefined)
    return {
      kind: "segment.update",
      target: { id },
      ifMatch,
      input: { ...rename, description, constraints },
    };
  const input = { name, description, constraints: constraints ?? [] };
  return { kind: "segment.create", target: { projectId }, input };
}

function contextOperations(
  contextKey: string,
  fields: Fields,
  { id, ifMatch, projectId, path }: ExistingItem & Pick<PlacedOperation, "path">,
): PlacedOperation[] {
  const { name, contextType, values } = fields as FileContext;
  const input = values?.map(toValue);
  const replace = (target: { id: number } | { contextKey: string }): PlacedOperation[] =>
    input
      ? [{ operation: { kind: "context.replace-values", target, input }, path: `${path}/values` }]
      : [];
  if (id === undefined)
    return [
      {
        operation: {
          kind: "context.create",
          target: { projectId },
          input: { name: name ?? contextKey, contextKey, contextType: contextType ?? "string" },
        },
        path,
      },
      ...replace({ contextKey }),
    ];
  const update: Operation = {
    kind: "context.update",
    target: { id },
    ifMatch,
    input: { name, contextType },
  };
  const isUpdated = name !== undefined || contextType !== undefined;
  return [...(isUpdated ? [{ operation: update, path }] : []), ...replace({ id })];
}

function flagOperations(
  key: string,
  fields: Partial<FileFlag>,
  { id, ifMatch, context, path }: Existing & { readonly context: Context; readonly path: string },
): PlacedOperation[] {
  const { name, description, variants, offVariant, valueSchema, clients } = fields;
  const tags = fields.tags?.map(toTag);
  const content = {
    description,
    variants,
    offVariant,
    valueSchema,
    prerequisites: fields.prerequisites?.map(toPrerequisite),
    clients,
  };
  if (id !== undefined) {
    const input = { name, ...content, tags };
    return [{ operation: { kind: "flag.update", target: { flagId: id }, ifMatch, input }, path }];
  }
  const { flagType = "RELEASE", valueType, environments = {} } = fields;
  const created: Operation = {
    kind: "flag.create",
    target: { projectId: context.projectId },
    input: { key, name: name ?? key, flagType, valueType, ...content, tags: tags ?? [] },
  };
  const strategies = Object.entries(environments).flatMap(
    ([environment, strategy]): PlacedOperation[] => {
      if (Object.keys(strategy).length === 0) return [];
      const place = { kind: "strategy" as const, key, environment };
      const target = { flag: { flagKey: key }, environmentId: context.ids.environment(place) };
      const input = toStrategyInput({ ...strategy }, context, place);
      return [{ operation: { kind: "strategy.set", target, input }, path: pathOf(place) }];
    },
  );
  return [{ operation: created, path }, ...strategies];
}

function toStrategyInput(
  fields: Fields,
  { ids, resources }: Context,
  place: FieldPlace,
): StrategyInput {
  const strategy = fields as FileStrategy;
  const before: FileStrategy | undefined = resources.get(pathOf(resourceOf(place)))?.current;
  const known = new Set(before?.rules?.map(({ id }) => id));
  const { enabled, rules, ...last } = strategy;
  return {
    enabled,
    ...toActivation(last, ids),
    rules: rules?.map((rule) => toRule(rule, known, ids)),
  };
}

const toRule = (
  { id, name, ...rule }: FileRule,
  known: ReadonlySet<string | undefined>,
  ids: Ids,
) => ({ ...(known.has(id) ? { id } : { newId: id }), name, ...toActivation(rule, ids) });

function toActivation<T extends FileActivation>(activation: T, ids: Ids) {
  const { percentage, ...rest } = fromFile(activation, {
    segment: (key): SegmentRef => ids.of({ kind: "segment", key }) ?? key,
    serve: toServe,
  });
  return { exactPercentage: percentage, ...rest };
}

const toServe = (serve: FileServe): ServeInput =>
  "weights" in serve && serve.slots ? { slots: serve.slots } : serve;

const toTag = (tag: FileFlagTag): TagInput | NamedTag => {
  if (typeof tag === "string") return tag;
  const { name, value } = tag;
  return name === value ? name : { tagName: name, value };
};

const toPrerequisite = ({ enabled = true, ...rest }: FilePrerequisite) => ({ ...rest, enabled });

const toValue = (value: FileContextValue): ValueContent =>
  typeof value === "string"
    ? { value, description: null }
    : { value: value.value, description: value.description ?? null };
