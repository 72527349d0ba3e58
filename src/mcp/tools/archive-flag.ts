import { z } from "zod";
import { getFlagByKey } from "../../management/flags/key-service.ts";
import { archiving, getFlag } from "../../management/flags/service.ts";
import { environmentsOf, projectOf } from "../session/resolve.ts";
import { callOfAgent } from "../session/session.ts";
import { reasonInput } from "./change-strategy.ts";
import { flagInput, projectInput } from "./flag.ts";
import { receipt, write } from "./receipt.ts";
import type { Tool } from "./tool.ts";

const input = z.strictObject({
  ...projectInput,
  flag: flagInput,
  version: z.int().min(1).describe("version of get_flag"),
  archived: z.boolean().default(true).describe("false: restores it"),
  reason: reasonInput,
});

export const archiveFlag: Tool<typeof input, typeof receipt> = {
  name: "archive_flag",
  title: "Archive a flag",
  description: "Archives a flag: it is off everywhere and leaves the lists. Can be undone.",
  effect: "changes",
  input,
  output: receipt,
  run: async (session, { project, flag: key, version, archived, reason }) => {
    const call = callOfAgent(session, reason);
    const projectId = await projectOf(call, project);
    const environments = await environmentsOf(call, projectId);
    const { id } = await getFlagByKey(call, { projectId, key });
    return write({
      session,
      call,
      operation: archiving({ id, archived, ifMatch: [version] }),
      reason,
      environments,
      current: async () => {
        const { version: now } = await getFlag(call, { id });
        return { of: "flag", version: now };
      },
      versionOf: ({ work }) => work.flags.get(id)?.version ?? version,
    });
  },
};
