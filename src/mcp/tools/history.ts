import { z } from "zod";
import { isObject } from "../../core/lib/is-object.ts";
import { listAudit } from "../../management/audit/service.ts";
import { toAuditPage } from "../../management/audit/schema.ts";
import { visibilityOf } from "../../access/audit-visibility.ts";
import { getFlagByKey } from "../../management/flags/key-service.ts";
import { cut, fitting, MAX_BYTES } from "../session/fit.ts";
import { pageInput, pageOutput, readPage } from "../session/page.ts";
import { environmentNamed, environmentsOf, projectOf } from "../session/resolve.ts";
import { callOfAgent } from "../session/session.ts";
import { environmentInput, flagInput, projectInput } from "./flag.ts";
import type { Tool } from "./tool.ts";

const input = z.strictObject({
  ...projectInput,
  ...pageInput,
  flag: flagInput.optional(),
  environment: environmentInput.optional(),
  since: z.iso.datetime({ offset: true }).optional().describe("ISO 8601"),
});

const output = z.object({
  records: z
    .array(
      z.object({
        id: z.int(),
        at: z.string(),
        action: z.string(),
        actor: z.string(),
        via: z.string().nullable(),
        environment: z.string().nullable(),
        reason: z.string().nullable(),
        changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
      }),
    )
    .readonly(),
  ...pageOutput,
});

type AuditRecord = ReturnType<typeof toAuditPage>["items"][number];

export const history: Tool<typeof input, typeof output> = {
  name: "history",
  title: "Read the history",
  description:
    "Lists changes of the project or of one flag, newest first: who, when, what and why.",
  effect: "reads",
  input,
  output,
  run: async (session, { project, flag: key, environment, since, ...page }) => {
    const call = callOfAgent(session);
    const projectId = await projectOf(call, project);
    const environments = await environmentsOf(call, projectId);
    const flag = key === undefined ? undefined : await getFlagByKey(call, { projectId, key });
    const filter = {
      projectId,
      environmentId:
        environment === undefined ? undefined : environmentNamed(environments, environment).id,
      ...(flag && { entityType: "flag", entityId: flag.id }),
      ...(since !== undefined && { dateFrom: Date.parse(since) }),
    };
    const names = new Map(environments.map(({ id, name }) => [id, name]));
    const { items, next } = await readPage(
      page,
      async (of) =>
        toAuditPage(await listAudit(call, { ...filter, ...of }), visibilityOf(call.actor)),
      (record) => toRecord(record, names),
    );
    return { records: items, next };
  },
};

const toRecord = (record: AuditRecord, environments: ReadonlyMap<number, string>) =>
  fitting(
    (max) => ({
      id: record.id,
      at: record.at,
      action: record.action,
      actor: actorText(record),
      via: record.via ?? (record.token === null ? null : `token ${record.token.name}`),
      environment: environments.get(record.environmentId ?? 0) ?? null,
      reason: record.reason,
      changes: recordedChanges(record, max),
    }),
    MAX_BYTES / 2,
  );

/** Returns the name of who made a change, as far as the owner of the token may see it. */
const actorText = ({ actor: { kind, name, displayName } }: AuditRecord): string =>
  displayName ?? name ?? (kind === "system" ? "system" : `a ${kind}`);

/** Returns the fields of a record with their values. `max`: the size above which one is cut, bytes. */
function recordedChanges({ before, after }: AuditRecord, max: number) {
  const [was, is] = [before, after].map((side) => (isObject(side) ? side : {}));
  const fields = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])];
  return fields.map((field) => ({
    field,
    before: cut(was?.[field] ?? null, max),
    after: cut(is?.[field] ?? null, max),
  }));
}
