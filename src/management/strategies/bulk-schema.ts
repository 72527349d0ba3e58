import { z } from "@hono/zod-openapi";
import { id } from "../../http/schema.ts";
import { bulkTarget, bulkTargets, listOfTargets } from "../shared/bulk-schema.ts";

export const switchFlagsRequest = z
  .object({ environmentId: id, enabled: z.boolean(), flags: bulkTargets })
  .openapi("SwitchFlags", {
    example: { environmentId: 3, enabled: true, flags: [{ id: 12 }, { id: 13, version: 4 }] },
  });

const copiedFlag = z.object({
  ...bulkTarget.shape,
  fromVersion: z.int().min(0).optional().openapi({
    description:
      "If given, the flag's strategy in the source environment must have this version, else 412",
  }),
});

export const copyStrategiesRequest = z
  .object({
    environmentId: id.openapi({ description: "The target environment" }),
    fromEnvironmentId: id.openapi({ description: "The source environment, of the same project" }),
    withState: z.boolean().default(false).openapi({
      description: "Also copy whether the flags are on or off. Default: they keep their state",
    }),
    flags: listOfTargets(copiedFlag),
  })
  .refine(({ environmentId, fromEnvironmentId }) => environmentId !== fromEnvironmentId, {
    path: ["fromEnvironmentId"],
    message: "must be another environment than the target",
  })
  .openapi("CopyStrategies", {
    example: {
      environmentId: 3,
      fromEnvironmentId: 2,
      flags: [{ id: 12, version: 3, fromVersion: 5 }, { id: 13 }],
    },
  });

export const revertStrategiesRequest = z
  .object({ environmentId: id, flags: bulkTargets })
  .openapi("RevertStrategies", {
    example: { environmentId: 3, flags: [{ id: 12, version: 4 }, { id: 13 }] },
  });
