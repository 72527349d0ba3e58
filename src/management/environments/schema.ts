import { z } from "@hono/zod-openapi";
import type { Quotas } from "../../db/quota.ts";
import { id, iso, name, timestamp } from "../../http/schema.ts";
import type { ListedEnvironment, MeasuredEnvironment } from "../../model/environments/queries.ts";

const production = z.boolean();

export const environmentResponse = z
  .object({
    id,
    projectId: id,
    name: z.string(),
    production: production.openapi({
      description:
        "Whether customers use this environment. The dashboard marks it and asks for confirmation before " +
        "a change there; the rules and the permissions do not depend on it",
    }),
    requiredApprovals: z.int().openapi({
      description: "How many approvals a direct change of the rules needs. 0: none",
    }),
    allowBypass: z.boolean().openapi({
      description: "Whether an administrator may bypass these approvals with a reason",
    }),
    revision: z.int().openapi({
      description:
        "Grows by one with every change that can alter an evaluation in this environment, or a " +
        "rule as SDKs fetch it, such as a new name of a flag",
    }),
    ruleBytes: z.int().openapi({
      description:
        "The size of the rules, bytes: the length of `GET /api/client/features` with the archived flags, within 10 %. " +
        "Each segment counts as often as a rule uses it",
    }),
    ruleBytesLimit: z.int().openapi({
      description:
        "The quota `QUOTA_RULE_BYTES`. A change that would make the rules larger than that is 402",
    }),
    flagsOn: z.int().optional().openapi({
      description:
        "The number of flags that are on in this environment, without archived flags. Only in lists with `counts=true`",
    }),
    apiKeyCount: z.int().optional().openapi({
      description: "The number of API keys. Only in lists with `counts=true`",
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .openapi("Environment", {
    example: {
      id: 3,
      projectId: 1,
      name: "production",
      production: true,
      requiredApprovals: 0,
      allowBypass: true,
      revision: 8,
      ruleBytes: 14_820,
      ruleBytesLimit: 2_000_000,
      flagsOn: 31,
      apiKeyCount: 2,
      createdAt: "2026-01-02T03:04:05.678Z",
      updatedAt: "2026-01-02T03:04:05.678Z",
    },
  });

export const toEnvironment =
  (quotas: Quotas) =>
  (
    row: MeasuredEnvironment & Partial<Pick<ListedEnvironment, "flagsOn" | "apiKeyCount">>,
  ): z.infer<typeof environmentResponse> => ({
    id: row.id,
    projectId: row.projectId,
    name: row.name,
    production: row.production,
    requiredApprovals: row.requiredApprovals,
    allowBypass: row.allowBypass,
    revision: row.revision,
    ruleBytes: row.ruleBytes,
    ruleBytesLimit: quotas.RULE_BYTES,
    ...(typeof row.flagsOn === "number" && { flagsOn: row.flagsOn }),
    ...(typeof row.apiKeyCount === "number" && { apiKeyCount: row.apiKeyCount }),
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  });

export const createEnvironmentRequest = z
  .object({
    name,
    production: production.default(false),
    projectId: id.optional().openapi({
      description:
        "If absent: the project of the session or key, else the only project that exists",
    }),
  })
  .openapi("CreateEnvironment", {
    example: { name: "production", production: true, projectId: 1 },
  });

export const updateEnvironmentRequest = z
  .object({
    name: name.optional(),
    production: production.optional().openapi({ description: "If absent: unchanged" }),
  })
  .openapi("UpdateEnvironment", { example: { name: "production", production: true } });
