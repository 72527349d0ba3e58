import { z } from "zod";
import { DAY_MS } from "../../core/lib/time.ts";
import { isoOrNull } from "../../http/schema.ts";
import { type EnrichedFlag, listEnrichedFlags } from "../../management/flags/list-service.ts";
import { pageInput, pageOutput, readPage } from "../session/page.ts";
import { projectOf } from "../session/resolve.ts";
import { callOfAgent } from "../session/session.ts";
import { flagOutput, projectInput, toFlagOutput } from "./flag.ts";
import type { Tool } from "./tool.ts";

/** How many flags that require a flag the result names. */
const MAX_REQUIRED_BY = 20;

const input = z.strictObject({ ...projectInput, ...pageInput });

const output = z.object({
  flags: z
    .array(
      z.object({
        ...flagOutput,
        days: z.int(),
        lastUsedAt: z.string().nullable(),
        on: z.enum(["all", "some", "none"]),
        requiredBy: z.array(z.string()),
      }),
    )
    .readonly(),
  ...pageOutput,
});

export const staleFlags: Tool<typeof input, typeof output> = {
  name: "stale_flags",
  title: "Find stale flags",
  description:
    "Lists flags that should be removed, oldest change first. days: since the last change. on: in " +
    "all, some or no environments. requiredBy: flags that prevent its archiving.",
  effect: "reads",
  input,
  output,
  run: async (session, { project, ...page }) => {
    const call = callOfAgent(session);
    const projectId = await projectOf(call, project);
    const now = call.now();
    const sort = { by: "updatedAt", descending: false } as const;
    const filter = { projectId, includeArchived: false, stale: true, now, sort };
    const { items, next } = await readPage(
      page,
      (of) => listEnrichedFlags(call, { ...filter, ...of }),
      (found) => toStale(found, now),
    );
    return { flags: items, next };
  },
};

function toStale({ flag, strategies }: EnrichedFlag, now: number) {
  const on = strategies.filter(({ content }) => content.enabled).length;
  return {
    ...toFlagOutput(flag, now),
    days: Math.floor((now - flag.updatedAt) / DAY_MS),
    lastUsedAt: isoOrNull(flag.lastUsedAt),
    on:
      on === 0
        ? ("none" as const)
        : on === strategies.length
          ? ("all" as const)
          : ("some" as const),
    requiredBy: flag.requiredBy.slice(0, MAX_REQUIRED_BY),
  };
}
