import type { AuditEntry } from "../../db/audit.ts";
import type { DomainEvent, EventType } from "../../db/outbox.ts";
import type { FlagRow, FlagWithTags } from "./queries.ts";
import { changedTags, type TagInput } from "./tag-queries.ts";
import { valuesOf } from "./values.ts";

/** The audit entry and the webhook event of the change of one flag. */
export interface RecordedChange {
  readonly audit: readonly [AuditEntry];
  readonly events: readonly [DomainEvent];
}

/** Returns what a flag contains besides its description and its tags. */
export const contentOf = (flag: FlagRow) => ({
  name: flag.name,
  ...valuesOf(flag),
  prerequisites: flag.prerequisites,
  ownerIds: flag.ownerIds,
});

/**
 * Returns the audit entry and the webhook event for a change of a flag. The event contains `event`,
 * or else `after`.
 */
export function auditAndEvent(
  type: EventType,
  flag: FlagRow,
  {
    event,
    ...content
  }: {
    readonly before?: object;
    readonly after?: object;
    readonly event?: object;
  },
): RecordedChange {
  const { id: entityId, projectId, key, name } = flag;
  return {
    audit: [{ action: type, entityType: "flag", entityId, projectId, ...content }],
    events: [
      { type, projectId, entityId, data: { flag: { key, name, ...(event ?? content.after) } } },
    ],
  };
}

/** Returns the audit entry and the webhook event for a flag that is archived or unarchived. */
export const archivedOrNot = (flag: FlagRow, archived: boolean): RecordedChange =>
  auditAndEvent(archived ? "flag.archived" : "flag.unarchived", flag, {
    before: { archived: flag.archived },
    after: { archived },
  });

/** Returns the audit entry and the webhook event for a flag that gets or loses a tag. */
export function taggedOrNot(flag: FlagWithTags, tag: TagInput, isAdded: boolean): RecordedChange {
  const { before, after } = changedTags(flag.attachedTags, tag, isAdded);
  const content = { ...contentOf(flag), description: flag.description };
  return auditAndEvent("flag.updated", flag, {
    before: { ...content, tags: before },
    after: { ...content, tags: after },
  });
}
