import { z } from "@hono/zod-openapi";
import { clients, flagType } from "./schema.ts";
import { responseFields } from "./value-schema.ts";

/** What an audit record of the action `flag.updated` says about a flag. */
export const recordedFlag = z.object({
  name: z.string(),
  description: z.string().nullable(),
  ...responseFields,
  tags: z.array(z.union([z.string(), z.object({ tagId: z.int(), value: z.string() })])),
  ownerIds: z.array(z.int()),
  // A record of a release that did not know the field is about a flag that every client got.
  clients: clients.default("all"),
});

/** What an audit record of the action `flag.deleted` says about a flag. */
export const deletedFlag = z.object({ ...recordedFlag.shape, key: z.string(), flagType });
