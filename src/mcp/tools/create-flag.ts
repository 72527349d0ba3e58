import { z } from "zod";
import { invalid } from "../../core/errors/api-error.ts";
import { FLAG_CLIENTS, VALUE_TYPES } from "../../core/flags/variants.ts";
import { fieldErrorsOf } from "../../http/zod-errors.ts";
import { createFlagRequest, flagType } from "../../management/flags/schema.ts";
import { writtenRow } from "../../changes/written-row.ts";
import { environmentsOf, projectOf } from "../session/resolve.ts";
import { callOfAgent } from "../session/session.ts";
import { reasonInput } from "./change-strategy.ts";
import { projectInput } from "./flag.ts";
import { receipt, write } from "./receipt.ts";
import type { Tool } from "./tool.ts";

const input = z.strictObject({
  ...projectInput,
  key: z.string().describe("Letters, digits and . _ - :"),
  name: z.string(),
  description: z.string().optional(),
  type: z.enum(flagType.options).optional().describe("Default: RELEASE"),
  valueType: z.enum(VALUE_TYPES).optional().describe("Default: boolean"),
  reason: reasonInput.optional(),
  variants: z
    .array(z.strictObject({ key: z.string(), value: z.unknown() }))
    .optional()
    .describe("Required unless boolean"),
  tags: z.array(z.string()).optional(),
  clients: z.enum(FLAG_CLIENTS).optional(),
});

/** Creates a flag that is off everywhere. */
export const createFlag: Tool<typeof input, typeof receipt> = {
  name: "create_flag",
  title: "Create a flag",
  description: "Creates a flag that is off everywhere.",
  effect: "creates",
  input,
  output: receipt,
  run: async (session, { project, reason, type, ...given }) => {
    const call = callOfAgent(session, reason);
    const projectId = await projectOf(call, project);
    // The limits are those of the API.
    const body = { ...given, projectId, flagType: type ?? "RELEASE" };
    const parsed = createFlagRequest.safeParse(body);
    if (!parsed.success) throw invalid(fieldErrorsOf(parsed.error));
    const { projectId: _, ...content } = parsed.data;
    return write({
      session,
      call,
      operation: { kind: "flag.create", target: { projectId }, input: content },
      reason: reason ?? "",
      environments: await environmentsOf(call, projectId),
      versionOf: ({ work }) => writtenRow(work.flags, ({ key }) => key === content.key).version,
    });
  },
};
