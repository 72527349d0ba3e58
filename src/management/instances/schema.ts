import { z } from "@hono/zod-openapi";
import { MAX_NAME } from "../../core/usage/message-types.ts";
import { sliceQuery } from "../../http/paging.ts";
import { id, idText, iso, isoOrNull, timestamp } from "../../http/schema.ts";
import type { ListedInstance, Propagation } from "./service.ts";

export const instancesQuery = z.object({
  environmentId: idText.optional(),
  appName: z.string().min(1).max(MAX_NAME).optional(),
  lackingFeature: z
    .enum(["rules"])
    .optional()
    .openapi({
      description:
        "Only instances that fetched rules in the last 24 hours with an SDK that does not know this " +
        "feature. `rules`: ordered rules",
    }),
  havingFeature: z
    .enum(["unleash"])
    .optional()
    .openapi({
      description:
        "Only instances that were seen in the last 24 hours with an SDK that has this feature. `unleash`: " +
        "an SDK of Unleash",
    }),
  ...sliceQuery,
});

const count = z.int().min(0);
const appName = z
  .string()
  .nullable()
  .openapi({ description: "`null` if the instance did not report a name" });
const revision = z.int().nullable().openapi({
  description: "The newest revision that the instance fetched or reported; `null` if unknown",
});

const SEEN_AT = "2026-01-02T03:04:35.678Z";
const EXAMPLE_INSTANCE = { instanceId: "shop-7d4f9-x2x1b", appName: "shop", revision: 8 };

export const instanceResponse = z
  .object({
    environmentId: id,
    instanceId: z.string(),
    appName,
    sdkVersion: z.string().nullable(),
    firstSeenAt: timestamp,
    lastSeenAt: timestamp,
    revision,
    sdkFeatures: z.array(z.string()).openapi({
      description: "What the SDK can evaluate, from `X-Sdk-Features`; empty if it did not say",
    }),
    rulesFetchedAt: timestamp.nullable().openapi({
      description:
        "When the instance last fetched rules, accurate to an hour; `null` if never. An instance that " +
        "fetches rules evaluates flags itself",
    }),
    upToDate: z
      .boolean()
      .openapi({ description: "Whether the instance has the environment's newest revision" }),
  })
  .openapi("ClientInstance", {
    example: {
      environmentId: 3,
      ...EXAMPLE_INSTANCE,
      sdkVersion: "node/1.4.0",
      firstSeenAt: "2026-01-01T00:00:00.000Z",
      lastSeenAt: SEEN_AT,
      sdkFeatures: ["rules"],
      rulesFetchedAt: SEEN_AT,
      upToDate: true,
    },
  });

export const toInstance = (row: ListedInstance): z.infer<typeof instanceResponse> => ({
  environmentId: row.environmentId,
  instanceId: row.instanceId,
  appName: appNameOf(row),
  sdkVersion: row.sdkVersion,
  firstSeenAt: iso(row.firstSeenAt),
  lastSeenAt: iso(row.lastSeenAt),
  revision: row.revision,
  sdkFeatures: [...(row.sdkFeatures ?? [])],
  rulesFetchedAt: isoOrNull(row.rulesFetchedAt ?? null),
  upToDate: row.revision !== null && row.revision >= row.newestRevision,
});

const appNameOf = (row: { readonly appName: string }) => (row.appName === "" ? null : row.appName);

export const propagationResponse = z
  .object({
    environmentId: id,
    revision: z.int().openapi({ description: "The newest revision of the environment" }),
    changedAt: timestamp.openapi({ description: "When that revision was made" }),
    seenWithinSeconds: z
      .int()
      .openapi({ description: "Only instances that were seen within this time count" }),
    instances: z.object({ known: count, upToDate: count, pending: count }).openapi({
      description:
        "An instance is up to date if it reported this revision, or if it reported none and was " +
        "first seen after the change",
    }),
    complete: z.boolean().openapi({ description: "True if no instance is pending" }),
    slowestMs: count.nullable().openapi({
      description:
        "Time from the change until the slowest up-to-date instance reported the revision, in " +
        "milliseconds. Instances first seen after the change do not count.",
    }),
    pendingInstances: z
      .array(z.object({ instanceId: z.string(), appName, revision, lastSeenAt: timestamp }))
      .openapi({ description: "At most 20, least recently seen first" }),
  })
  .openapi("Propagation", {
    example: {
      environmentId: 3,
      revision: 9,
      changedAt: "2026-01-02T03:04:05.678Z",
      seenWithinSeconds: 300,
      instances: { known: 12, upToDate: 11, pending: 1 },
      complete: false,
      slowestMs: 28_412,
      pendingInstances: [{ ...EXAMPLE_INSTANCE, lastSeenAt: SEEN_AT }],
    },
  });

export const toPropagation = (data: Propagation): z.infer<typeof propagationResponse> => {
  const pending = data.known - data.upToDate;
  return {
    environmentId: data.environmentId,
    revision: data.revision,
    changedAt: iso(data.changedAt),
    seenWithinSeconds: data.seenWithinMs / 1000,
    instances: { known: data.known, upToDate: data.upToDate, pending },
    complete: pending === 0,
    slowestMs: data.slowestMs,
    pendingInstances: data.pending.map((row) => ({
      instanceId: row.instanceId,
      appName: appNameOf(row),
      revision: row.revision,
      lastSeenAt: iso(row.lastSeenAt),
    })),
  };
};
