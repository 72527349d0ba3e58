import { z } from "zod";
import { ApiError } from "../../core/errors/api-error.ts";
import { listFlags, listFlagsByEnvironment } from "../../management/flags/list-service.ts";
import { pageInput, pageOutput, readPage } from "../session/page.ts";
import { environmentNamed, environmentsOf, projectOf } from "../session/resolve.ts";
import { callOfAgent } from "../session/session.ts";
import { environmentInput, flagOutput, projectInput, toFlagOutput } from "./flag.ts";
import type { Tool } from "./tool.ts";

const input = z.strictObject({
  ...projectInput,
  ...pageInput,
  query: z
    .string()
    .normalize("NFC")
    .min(1)
    .max(200)
    .optional()
    .describe("Words in the key or name"),
  environment: environmentInput.optional(),
  tag: z.string().normalize("NFC").min(1).max(200).optional(),
  state: z.enum(["on", "off"]).optional().describe("Requires environment"),
});

const output = z.object({
  flags: z
    .array(z.object({ ...flagOutput, clients: z.string(), on: z.boolean().optional() }))
    .readonly(),
  total: z.int(),
  ...pageOutput,
});

/** Lists flags that are not archived. */
export const findFlags: Tool<typeof input, typeof output> = {
  name: "find_flags",
  title: "Find flags",
  description: "Lists flags that are not archived. With environment, also whether each is on.",
  effect: "reads",
  input,
  output,
  run: async (session, { project, query: search, environment, tag, state, ...page }) => {
    const call = callOfAgent(session);
    const projectId = await projectOf(call, project);
    const now = call.now();
    const tags = tag === undefined ? undefined : [tag];
    const filter = { projectId, includeArchived: false, now, search, tag: tags, state };
    if (environment === undefined) {
      if (state !== undefined)
        throw new ApiError("BAD_REQUEST", "state requires environment; name one");
      const found = await readPage(
        page,
        (of) => listFlags(call, { ...filter, ...of }),
        (row) => ({ ...toFlagOutput(row, now), clients: row.clients }),
      );
      return { flags: found.items, total: found.total, next: found.next };
    }
    const { id: environmentId } = environmentNamed(
      await environmentsOf(call, projectId),
      environment,
    );
    const found = await readPage(
      page,
      (of) => listFlagsByEnvironment(call, { ...filter, ...of, environmentId }),
      ({ flag, strategy }) => ({
        ...toFlagOutput(flag, now),
        clients: flag.clients,
        on: strategy.content.enabled,
      }),
    );
    return { flags: found.items, total: found.total, next: found.next };
  },
};
