import { z } from "@hono/zod-openapi";
import type { Reverted } from "../../changes/revert.ts";
import { id, booleanText } from "../../http/schema.ts";
import { proposeQuery } from "./propose-query.ts";

export const revertRequest = z
  .object({
    recordId: id.openapi({ description: "The id of the audit record whose change is reverted" }),
  })
  .openapi("Revert", { example: { recordId: 41 } });

export const revertQuery = z.object({
  dryRun: booleanText.optional().openapi({
    description:
      "true: check the revert, return what it would change, and write nothing. The `ETag` is that of " +
      "the current version, for the `If-Match` of the revert itself",
  }),
  ...proposeQuery,
});

const content = z.record(z.string(), z.unknown());

export const revertResponse = z
  .object({
    entityId: id.openapi({
      description: "The flag or segment; a new id if it was deleted and is created again",
    }),
    before: content.nullable().openapi({
      description:
        "The fields that differ, before the revert. Null if the revert creates the resource again",
    }),
    after: content.openapi({ description: "The same fields after the revert" }),
    recordId: id.nullable().openapi({
      description: "The new audit record. Null in a dry run, and if nothing differs",
    }),
  })
  .openapi("Reverted", {
    example: {
      entityId: 12,
      before: { name: "New checkout" },
      after: { name: "Checkout" },
      recordId: 42,
    },
  });

export const toRevertResponse = ({
  entityId,
  before,
  after,
  recordId,
}: Reverted): z.infer<typeof revertResponse> => ({ entityId, before, after, recordId });
