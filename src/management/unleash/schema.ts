import { z } from "@hono/zod-openapi";
import { id, iso, timestamp } from "../../http/schema.ts";
import type { UnleashUse } from "./service.ts";

const levelSchema = z.enum(["approximate", "partial", "unserved"]).openapi({
  description:
    "`approximate`: some users get another result. `partial`: the rule and all rules after it are left " +
    "out. `unserved`: the flag is off.",
});

export const unleashResponse = z
  .object({
    environmentId: id,
    flags: z
      .array(
        z.object({
          key: z.string(),
          level: levelSchema,
          notes: z.array(
            z.object({
              rule: z.int().nullable().openapi({
                description:
                  "The index of the rule; the last rule has the number of ordered rules as its index. `null`: the whole flag",
              }),
              level: levelSchema,
              code: z.string().openapi({
                description: "The reason (docs/use/unleash-mapping.md)",
              }),
              detail: z.string().optional(),
            }),
          ),
        }),
      )
      .openapi({
        description: "The flags that Unleash cannot express exactly; all others are exact",
      }),
    sdks: z
      .array(
        z.object({
          sdkVersion: z.string().nullable(),
          instances: z.int().min(1),
          lastSeenAt: timestamp,
        }),
      )
      .openapi({ description: "The instances of Unleash SDKs of the last 24 hours, by SDK" }),
    otherVariants: z
      .array(
        z.object({
          instanceId: z.string(),
          appName: z.string().nullable(),
          sdkVersion: z.string().nullable(),
          lastSeenAt: timestamp,
        }),
      )
      .openapi({
        description:
          "The instances that choose other variants of a split than this service, because their SDK is older than " +
          "the seed of variants, and those of which the version is unknown (docs/use/unleash-mapping.md); at most 100, " +
          "the most recently seen first",
      }),
  })
  .openapi("UnleashUse", {
    example: {
      environmentId: 3,
      flags: [
        {
          key: "new-checkout",
          level: "approximate",
          notes: [{ rule: 0, level: "approximate", code: "decimals", detail: "12" }],
        },
      ],
      sdks: [
        {
          sdkVersion: "unleash-node-sdk:6.12.1",
          instances: 12,
          lastSeenAt: "2026-01-02T03:04:35.678Z",
        },
      ],
      otherVariants: [
        {
          instanceId: "shop-7d4f9-x2x1b",
          appName: "shop",
          sdkVersion: "unleash-client-node:4.2.1",
          lastSeenAt: "2026-01-02T03:04:35.678Z",
        },
      ],
    },
  });

export const toUnleash = ({
  environmentId,
  flags,
  sdks,
  others,
}: UnleashUse): z.infer<typeof unleashResponse> => ({
  environmentId,
  flags: flags.map((flag) => ({
    key: flag.key,
    level: flag.level,
    notes: flag.notes.map(({ rule, level, code, detail }) => ({
      rule,
      level,
      code,
      ...(detail !== undefined && { detail }),
    })),
  })),
  sdks: sdks.map(({ sdkVersion, instances, lastSeenAt }) => ({
    sdkVersion,
    instances,
    lastSeenAt: iso(lastSeenAt),
  })),
  otherVariants: others.map(({ instanceId, appName, sdkVersion, lastSeenAt }) => ({
    instanceId,
    appName: appName === "" ? null : appName,
    sdkVersion,
    lastSeenAt: iso(lastSeenAt),
  })),
});
