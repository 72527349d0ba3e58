import { changedFields, isSame } from "../../core/audit/changed-fields.ts";
import { conflict, notFound } from "../../core/errors/api-error.ts";
import { naming } from "../../core/errors/naming.ts";
import {
  isPathStep,
  PATH_STEP,
  prerequisiteErrors,
  valueErrors,
} from "../../core/flags/validate.ts";
import type { FlagValues } from "../../core/flags/variants.ts";
import type { AuditEntry } from "../../db/audit.ts";
import type { DomainEvent, EventType } from "../../db/outbox.ts";
import {
  attachedAs,
  attachedTagInputs,
  hasTag,
  MAX_TAGS,
  replacedTags,
  type TagInput,
  valuesOfTags,
  withoutTag,
} from "../../model/flags/attached-tags.ts";
import { flagContent, type NewFlag, recordedContent } from "../../model/flags/content.ts";
import type { FlagState } from "../../model/flags/flag-state.ts";
import { changedValues, newValues, ruleContent, valuesOf } from "../../model/flags/values.ts";
import type { OperationOf, OperationOn } from "./operation.ts";
import { Refusal } from "./state.ts";
import { assertValid, assertVersion, type Work } from "./work.ts";

const missing = notFound("The flag does not exist");

type FlagOperation = OperationOn<"flag">;

/** Plans an operation of a flag. Throws: `Refusal`. */
export function planFlag(work: Work, operation: FlagOperation, n: number): void {
  if (operation.kind === "flag.create") return createFlag(work, operation, n);
  const flag = targetOf(work, operation);
  switch (operation.kind) {
    case "flag.clone":
      return cloneFlag(work, operation, { flag, n });
    case "flag.update":
      return updateFlag(work, operation, { flag, n });
    case "flag.archive":
    case "flag.unarchive":
      return setArchived(work, operation, { flag, n });
    case "flag.delete":
      return deleteFlag(work, operation, { flag, n });
    case "flag.tag":
    case "flag.untag":
      return tagFlag(work, operation, { flag, n });
  }
}

interface Place {
  readonly flag: FlagState;
  /** The index of the operation. */
  readonly n: number;
}

function targetOf(
  work: Work,
  { target, ...operation }: Exclude<FlagOperation, OperationOf<"flag.create">>,
) {
  const flag = work.flags.of(target);
  if (!flag)
    throw new Refusal(missing, "unknown-flag", "flagId" in target ? target.flagId : target.flagKey);
  assertVersion(operation, flag.version, flag.key);
  return flag;
}

function createFlag(
  work: Work,
  { target, input, revertsId }: OperationOf<"flag.create">,
  n: number,
) {
  const { key, name, description = null, flagType, archived = false } = input;
  const { prerequisites = [], ownerIds = [] } = input;
  const values = newValues(input);
  // A flag that is restored keeps its key.
  const hasUnfitKey = revertsId === undefined && isPathStep(key);
  assertValid([
    ...(hasUnfitKey ? [{ field: "key", message: PATH_STEP }] : []),
    ...valueErrors(values, work.checkBudget),
    ...prerequisiteErrors(key, prerequisites),
  ]);
  const project = work.projectOf(target);
  const { clients = project.newFlagClients } = input;
  assertUsersExist(work, ownerIds);
  const tags = withTagIds(work, project.id, input.tags);
  const row = insertFlag(work, {
    key,
    name,
    description,
    flagType,
    ...values,
    prerequisites,
    ownerIds,
    clients,
    archived,
    attachedTags: tagsOf(work, { projectId: project.id, attachedTags: [] }, tags),
    projectId: project.id,
    isOnSomewhere: false,
  });
  const flag = { key, name, description, flagType, ...values, prerequisites, ownerIds, clients };
  const after = { ...flag, tags, ...(archived && { archived }) };
  record(work, n, { type: "flag.created", flag: row, after, data: { flag }, revertsId });
  work.changeRules(row, null, "none");
}

/** The fields of a new flag that do not follow from the others. */
type InsertedFlag = FlagValues &
  Pick<
    FlagState,
    | "projectId"
    | "key"
    | "name"
    | "description"
    | "flagType"
    | "prerequisites"
    | "ownerIds"
    | "clients"
    | "attachedTags"
    | "archived"
    | "isOnSomewhere"
  >;

/** Adds a new flag to the work. Throws: 409 for a key in use. */
function insertFlag(work: Work, content: InsertedFlag): FlagState {
  const { key } = content;
  const { project } = work.initial;
  if (!project) throw new Error("A new flag must have a project");
  if (work.flags.of({ flagKey: key })) throw new Refusal(flagExists);
  const row: FlagState = {
    ...content,
    id: work.newId("flags"),
    version: 1,
    createdAt: work.now,
    updatedAt: work.now,
    lastUsedAt: null,
    staleMarkedFor: null,
    enabled: content.isOnSomewhere,
    requires: [],
    dependents: [],
    requiredBy: [],
    tags: valuesOfTags(content.attachedTags),
    staleDays: project.staleDays,
  };
  work.flags.set(row.id, row);
  return row;
}

export const flagExists = conflict("A flag with this key exists in the project");

function cloneFlag(
  work: Work,
  { input: { key, name, keepState } }: OperationOf<"flag.clone">,
  { flag: source, n }: Place,
): void {
  const { description, flagType, projectId, attachedTags } = source;
  const { prerequisites, ownerIds, clients } = source;
  const values = valuesOf(source);
  const flag = { key, name, description, flagType, ...values, prerequisites, ownerIds, clients };
  const isOnSomewhere = keepState && source.isOnSomewhere;
  const content = { ...flag, attachedTags, projectId, archived: false, isOnSomewhere };
  const row = insertFlag(work, content);
  work.clones.push({ flagId: row.id, sourceId: source.id, keepState });
  const tags = attachedTagInputs(attachedTags);
  const after = { ...flag, tags, clonedFrom: source.key, keepState };
  record(work, n, { type: "flag.created", flag: row, after, data: { flag } });
  work.changeRules(row, null, keepState ? { kind: "where-on", flagId: source.id } : "none");
}

function updateFlag(
  work: Work,
  { input, revertsId }: OperationOf<"flag.update">,
  { flag, n }: Place,
): void {
  const { name = flag.name, description = flag.description } = input;
  const tags = input.tags && withTagIds(work, flag.projectId, input.tags);
  const { prerequisites = flag.prerequisites, ownerIds = flag.ownerIds } = input;
  const { clients = flag.clients } = input;
  const values = changedValues(flag, input);
  assertValid([
    ...(isSame(values, valuesOf(flag)) ? [] : valueErrors(values, work.checkBudget, flag)),
    ...(isSame(prerequisites, flag.prerequisites)
      ? []
      : prerequisiteErrors(flag.key, prerequisites)),
  ]);
  if (!isSame(ownerIds, flag.ownerIds)) assertUsersExist(work, ownerIds);
  const attachedTags = tags ? tagsOf(work, flag, tags) : flag.attachedTags;
  const replaced = tags && replacedTags(flag.attachedTags, tags);
  const content = { name, ...values, prerequisites, ownerIds, clients };
  const before = { ...flagContent(flag), description: flag.description, tags: replaced?.before };
  const after = { ...content, description, tags: replaced?.after };
  const changed = changedFields({ before, after });
  if (!changed) return;
  write(work, flag, { ...content, description, attachedTags });
  const { key } = flag;
  const data = {
    flag: { key, ...content, description, tags: tags ?? flag.tags },
    changed: Object.keys({ ...changed.before, ...changed.after }),
  };
  record(work, n, { type: "flag.updated", flag, before, after, data, revertsId });
  const [rules, newRules] = [ruleContent(flag), ruleContent(content)];
  if (isSame(rules, newRules)) return;
  work.changeRules({ key, name }, null, isSame({ ...rules, name }, newRules) ? "none" : "any");
}

function setArchived(
  work: Work,
  { kind, revertsId }: OperationOf<"flag.archive" | "flag.unarchive">,
  { flag, n }: Place,
): void {
  const archived = kind === "flag.archive";
  if (flag.archived === archived) return;
  write(work, flag, { archived });
  const { key, name } = flag;
  record(work, n, {
    type: archived ? "flag.archived" : "flag.unarchived",
    flag,
    before: { archived: flag.archived },
    after: { archived },
    data: { flag: { key, name, archived } },
    revertsId,
  });
  const isRequired = work.dependentsOf(flag).length > 0;
  const effect = { kind: "where-on", flagId: flag.id } as const;
  work.changeRules(flag, null, archived && !isRequired ? effect : "any");
}

function deleteFlag(work: Work, _: OperationOf<"flag.delete">, { flag, n }: Place): void {
  if (!flag.archived)
    throw new Refusal(conflict("Only an archived flag can be deleted; archive the flag first"));
  if (!work.initial.flags.has(flag.id))
    throw new Refusal(conflict("A flag that an earlier operation creates cannot be deleted"));
  assertNotRequired(work, flag);
  work.flags.delete(flag.id);
  const { key, name, description, flagType, prerequisites, ownerIds, clients } = flag;
  const tags = attachedTagInputs(flag.attachedTags);
  const values = valuesOf(flag);
  const before = { key, name, description, flagType, ...values, prerequisites, tags, ownerIds };
  record(work, n, {
    type: "flag.deleted",
    flag,
    before: { ...before, clients },
    data: { flag: { key, name } },
  });
  work.changeRules(flag, null, "none");
}

function tagFlag(
  work: Work,
  { kind, input: tag }: OperationOf<"flag.tag" | "flag.untag">,
  { flag, n }: Place,
): void {
  const isAdded = kind === "flag.tag";
  if (hasTag(flag.attachedTags, tag) === isAdded) return;
  if (isAdded && flag.attachedTags.length >= MAX_TAGS)
    throw new Refusal(conflict(`The flag has ${MAX_TAGS} tags already`), "too-many-tags", flag.key);
  const attachedTags = isAdded
    ? [...flag.attachedTags, ...tagsOf(work, { ...flag, attachedTags: [] }, [tag])]
    : withoutTag(flag.attachedTags, tag);
  const before = recordedContent(flag);
  const after = {
    ...before,
    tags: isAdded ? [...before.tags, tag] : attachedTagInputs(attachedTags),
  };
  write(work, flag, { attachedTags });
  const data = { flag: { key: flag.key, ...after }, changed: ["tags"] };
  record(work, n, { type: "flag.updated", flag, before, after, data });
}

/** Throws: 409 if a flag requires the flag, archived or not. */
function assertNotRequired(work: Work, flag: FlagState): void {
  const keys = work.dependentsOf(flag).map(({ key }) => key);
  if (keys.length > 0)
    throw new Refusal(
      conflict(
        naming("The flag cannot be deleted, because these flags require it", keys.toSorted()),
      ),
    );
}

/** Replaces a flag by its next version. */
function write(work: Work, flag: FlagState, change: Partial<FlagState>): void {
  const row = { ...flag, ...change, version: flag.version + 1, updatedAt: work.now };
  const tags = change.attachedTags ? valuesOfTags(change.attachedTags) : flag.tags;
  work.flags.set(flag.id, { ...row, enabled: !row.archived && row.isOnSomewhere, tags });
}

/**
 * Returns the tags that a request attaches. Creates a tag for a name that the project does not have.
 * Throws: 404 for an id that the project does not have.
 */
function tagsOf(
  work: Work,
  { projectId, attachedTags }: Pick<FlagState, "projectId" | "attachedTags">,
  tags: readonly TagInput[],
) {
  return attachedAs(attachedTags, tags, (tag) => {
    if (typeof tag === "string")
      return { tagId: namedTag(work, projectId, tag), name: tag, value: tag };
    const row = work.tags.get(tag.tagId);
    if (row?.projectId !== projectId)
      throw new Refusal(notFound("A tag does not exist in the flag's project"));
    return { ...tag, name: row.name };
  });
}

/** Replaces the names of tags with other values by the ids. */
const withTagIds = (work: Work, projectId: number, tags: NewFlag["tags"]): TagInput[] =>
  tags.map((tag) =>
    typeof tag === "object" && "tagName" in tag
      ? { tagId: namedTag(work, projectId, tag.tagName), value: tag.value }
      : tag,
  );

/** The colour of a new tag, a neutral grey. */
const NEW_TAG_COLOR = "#868e96";

/** Returns the id of a tag. A tag that the project does not have is created, without a record. */
function namedTag(work: Work, projectId: number, name: string): number {
  const { tags, now } = work;
  const found = tags.named(name);
  if (found?.projectId === projectId) return found.id;
  const id = work.newId("tags");
  tags.set(id, { id, projectId, name, color: NEW_TAG_COLOR, version: 1, createdAt: now });
  return id;
}

function assertUsersExist({ initial }: Work, ownerIds: readonly number[]): void {
  if (ownerIds.some((id) => !initial.users.has(id)))
    throw new Refusal(notFound("One of the owners does not exist"));
}

interface Recorded {
  readonly type: EventType;
  readonly flag: FlagState;
  readonly before?: object;
  readonly after?: object;
  readonly data: DomainEvent["data"];
  readonly revertsId?: number | undefined;
}

function record(work: Work, operation: number, recorded: Recorded): void {
  const { type, flag, before, after, data, revertsId } = recorded;
  const { id: entityId, projectId } = flag;
  const entry: AuditEntry = {
    action: type,
    entityType: "flag",
    entityId,
    projectId,
    before,
    after,
    revertsId,
  };
  work.records.push({ operation, audit: [entry], event: { type, projectId, entityId, data } });
}
