import { z } from "@hono/zod-openapi";
import { MAX_LONG_PAGE_SIZE, pageOf, pageQuery } from "../../http/paging.ts";
import { firstMoment, lastMoment } from "../../http/period.ts";
import { booleanText, id, idText, iso, timestamp } from "../../http/schema.ts";
import { AUDIT_ACTIONS } from "../../core/audit/actions.ts";
import { ACTOR_KINDS, ENTITY_TYPES, OVERRIDES } from "../../db/schema/records.ts";
import { withoutPath } from "../integrations/config.ts";
import { type ListedRecord, MAX_SEARCHED } from "../../model/audit/queries.ts";
import type { AuditPage } from "./service.ts";
import type { Visibility } from "../../access/audit-visibility.ts";

const category = z.enum(["change", "security"]);
const actorKind = z.enum(ACTOR_KINDS);

const word = z.string().min(1).max(100);

/** The type of an entity that this release changes. */
export const entityType = z.enum(ENTITY_TYPES).openapi("EntityType", {
  description: "What an audit record is about",
});

const auditAction = z.enum(AUDIT_ACTIONS).openapi("AuditAction", {
  description: "What an audit record says has happened",
});

/** The type of an entity in audit records, which other releases may have written. */
const recordedType = z.union([entityType, z.string()]);

export const auditQuery = z
  .object({
    dateFrom: firstMoment,
    dateTo: lastMoment,
    projectId: idText.optional(),
    environmentId: idText.optional(),
    entityType: z
      .union([entityType, word])
      .optional()
      .openapi({ description: "The type of the changed entity, such as `flag`" }),
    entityId: idText.optional(),
    actorKind: actorKind.optional(),
    actorId: idText.optional(),
    action: z
      .union([auditAction, word])
      .optional()
      .openapi({ description: "The audit action, such as `flag.created`" }),
    category: category.optional(),
    beforeId: idText.optional().openapi({
      description: "Only records older than this record; `page` and the totals refer to those",
    }),
    q: z
      .string()
      .normalize("NFC")
      .min(1)
      .max(200)
      .optional()
      .openapi({
        description:
          "Only records with this text in the reason, in the name or e-mail address of who acted, or in " +
          "the name or key of what changed. Ignores case. Searches the newest " +
          `${MAX_SEARCHED} records that match the other filters`,
      }),
    related: booleanText.optional().openapi({
      description: "true: with `related`, the names of what the records of the page refer to",
    }),
    ...pageQuery(MAX_LONG_PAGE_SIZE),
  })
  .refine(({ dateFrom, dateTo }) => !(Number(dateFrom) > Number(dateTo)), {
    path: ["dateFrom"],
    message: "must not be after dateTo",
  });

const CONTENT_LIMIT =
  "`before` and `after` together take at most 32 KB of JSON. In contents above that, `{$unchanged: n}` " +
  "stands for n list items in a row that both sides have in the same order, and " +
  "`{$cut: {bytes, items, sha256}}` for a text or list that is too large: its size as JSON, its number " +
  "of items if it is a list, and the SHA-256 hash of its JSON (base64url; absent if a flag was deleted with its project or " +
  "environment). A key `$unchanged` or `$cut` of a flag's value has another `$` in the record.";

const actor = z
  .object({ kind: actorKind, id: id.nullable(), name: z.string().nullable() })
  .openapi({
    description:
      "`name` is `null` if the caller may not see it. `id` is `null` if the service itself acted.",
  });

/** Who changed a resource last, and when. */
export const changeResponse = z.object({ at: timestamp, actor });

interface Change {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly kind: z.infer<typeof actorKind>;
  readonly id: number | null;
  readonly name: string | null;
}

export const toChange = ({ at, kind, id: actorId, name }: Change) => ({
  at: iso(at),
  actor: { kind, id: actorId, name },
});

export const auditResponse = z
  .object({
    id,
    at: timestamp,
    category,
    action: z.union([auditAction, z.string()]).openapi({
      description:
        "The changed entity and what happened to it, such as `flag.updated`. A record of an earlier " +
        "release may have an action that is not in `AuditAction`",
    }),
    actor: actor
      .extend({
        displayName: z.string().nullable().openapi({
          description:
            "The present name of the user. Null for other actors, deleted users, and if the caller may not see it",
        }),
      })
      .openapi({
        description:
          "`name` of a user is the e-mail address at the time of the change. It is `null` if the caller " +
          "may not see it. `id` is `null` if the service itself acted.",
      }),
    entityType: recordedType.openapi({
      description: "A record of an earlier release may have a type that is not in `EntityType`",
    }),
    entityId: id.nullable(),
    projectId: id.nullable(),
    environmentId: id.nullable(),
    before: z.unknown().openapi({
      description:
        "The resource before the change; null for a creation. Of an update, only the fields that changed. " +
        CONTENT_LIMIT,
    }),
    after: z.unknown().openapi({
      description:
        "The resource after the change; null for a deletion. Of an update, only the fields that changed. " +
        CONTENT_LIMIT,
    }),
    reason: z
      .string()
      .nullable()
      .openapi({ description: "The `X-Change-Reason` header of the request that made the change" }),
    revertsId: id.nullable().openapi({
      description: "The id of the audit record that this change reverts; null for other changes",
    }),
    override: z
      .enum(OVERRIDES)
      .nullable()
      .openapi({
        description:
          "Why a change that a protected environment restricts needed no approval: it only turned a flag " +
          "off, or an administrator has bypassed the approval. Null for other changes",
      }),
    changeRequestId: id.nullable().openapi({
      description: "The id of the change request that was applied; null for other changes",
    }),
    rampId: id.nullable().openapi({
      description: "The id of the ramp that the change belongs to; null for other changes",
    }),
    onBehalfOf: z
      .string()
      .nullable()
      .openapi({
        description:
          "The name of the actor for whom the service made a planned change. Null for other changes, " +
          "and if the caller may not see names",
      }),
    token: z
      .object({ id, name: z.string() })
      .nullable()
      .openapi({
        description:
          "The token with which the actor has made the change. Null for other changes, and if the " +
          "caller may not see names",
      }),
    via: z
      .string()
      .nullable()
      .openapi({
        description:
          "The program through which the actor has made the change, such as an agent, as it names itself. " +
          "Null for other changes, and if the caller may not see names",
      }),
    ip: z.string().nullable(),
    traceId: z.string(),
  })
  .openapi("AuditRecord", {
    example: {
      id: 41,
      at: "2026-01-02T03:04:05.678Z",
      category: "change",
      action: "flag.updated",
      actor: { kind: "user", id: 2, name: "ann@example.com", displayName: "Ann" },
      entityType: "flag",
      entityId: 12,
      projectId: 1,
      environmentId: null,
      before: { name: "Checkout" },
      after: { name: "New checkout" },
      reason: "OPS-123",
      revertsId: null,
      override: null,
      changeRequestId: null,
      rampId: null,
      onBehalfOf: null,
      token: { id: 4, name: "ci" },
      via: "Claude Code 1.2",
      ip: null,
      traceId: "80f198ee56343ba864fe8b2a57d3eff7",
    },
  });

export const auditPage = pageOf(auditResponse)
  .extend({
    related: z
      .array(
        z.object({
          entityType: recordedType,
          id,
          name: z.string().openapi({
            description: "The present name, for a user the e-mail address",
          }),
          deleted: z.boolean().openapi({
            description: "Whether it was deleted. The name is then that of its newest record",
          }),
          production: z
            .boolean()
            .optional()
            .openapi({ description: "Only for environments that exist" }),
        }),
      )
      .optional()
      .openapi({
        description:
          "Only with `related=true`: each flag, environment, segment and so on to which the records refer, once",
        example: [{ entityType: "flag", id: 12, name: "New checkout", deleted: false }],
      }),
    searchedSince: timestamp.optional().openapi({
      description:
        `Only with \`q\`, if ${MAX_SEARCHED} or more records match the other filters: the time of the ` +
        "oldest record that was searched. To search older records, send it as `dateTo`",
    }),
  })
  .openapi("AuditPage");

/** Returns the content of an audit record with the URL of an integration reduced to its origin. */
function withoutWebhookPath(content: unknown): unknown {
  if (typeof content !== "object" || content === null) return content;
  const { configJson } = content as { readonly configJson?: unknown };
  if (typeof configJson !== "string") return content;
  return { ...content, configJson: withoutPath(configJson) };
}

const toAuditRecord = (
  row: ListedRecord,
  { addresses, people, webhookUrls }: Visibility,
): z.infer<typeof auditResponse> => ({
  id: row.id,
  at: iso(row.at),
  category: row.category,
  action: row.action,
  actor: {
    kind: row.actorKind,
    id: row.actorId,
    name: row.actorKind === "user" && !people ? null : row.actorName,
    displayName: people ? row.personName : null,
  },
  entityType: row.entityType,
  entityId: row.entityId,
  projectId: row.projectId,
  environmentId: row.environmentId,
  before: webhookUrls(row.projectId) ? row.before : withoutWebhookPath(row.before),
  after: webhookUrls(row.projectId) ? row.after : withoutWebhookPath(row.after),
  reason: row.reason,
  revertsId: row.revertsId,
  override: row.override,
  changeRequestId: row.changeRequestId,
  rampId: row.rampId,
  onBehalfOf: people ? row.onBehalfOf : null,
  token: people && row.tokenId !== null ? { id: row.tokenId, name: row.tokenName ?? "" } : null,
  via: people ? row.via : null,
  ip: addresses ? row.ip : null,
  traceId: row.traceId,
});

export const toAuditPage = (
  { items, searchedSince, ...page }: AuditPage,
  visibility: Visibility,
): z.infer<typeof auditPage> => ({
  ...page,
  items: items.map((row) => toAuditRecord(row, visibility)),
  ...(searchedSince !== undefined && { searchedSince: iso(searchedSince) }),
});
