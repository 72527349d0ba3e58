import { conflict } from "../../core/errors/api-error.ts";
import type { SingleChange } from "../../db/commit.ts";
import { ruleBytesWithClone } from "../../db/rule-bytes.ts";
import { ruleInEveryEnvironment } from "../../db/rule-changes.ts";
import { flags } from "../../db/schema/projects.ts";
import type { WriteContext } from "../context.ts";
import type { ById } from "../input.ts";
import { repeatStale, unchanged } from "../optimistic-update.ts";
import { copyStrategiesOfFlag } from "../strategies/queries.ts";
import { copyOwners } from "./owner-queries.ts";
import { copyPrerequisites, requiresNoArchived } from "./prerequisite-queries.ts";
import * as queries from "./queries.ts";
import type { FlagWithTags } from "./queries.ts";
import { createdFlag, getFlag, type Written } from "./service.ts";
import { copyTags, replacedTags } from "./tag-queries.ts";
import { storedValues, valuesOf } from "./values.ts";

interface CloneFlag extends ById {
  readonly key: string;
  readonly name: string;
  /**
   * Whether the clone is on in the environments in which the source flag is on. Otherwise the clone
   * is off in every environment.
   */
  readonly keepState: boolean;
}

/**
 * Creates a flag with the content of a source flag of the same project: its description, types,
 * variants, tags, owners, prerequisites, and its strategies in all environments. The clone is not
 * archived. Throws: 404 for an unknown flag, 409 if the key is in use or if the source flag
 * requires an archived flag, 402 if the quota of flags is used up or the rules of an environment
 * would become too large.
 */
export function cloneFlag(ctx: WriteContext, { id, ...clone }: CloneFlag): Promise<Written> {
  return repeatStale(async () => {
    const source = await getFlag(ctx, { id });
    const { projectId } = source;
    const revisions = await ctx.commit(cloning(source, clone, ctx.now()));
    return { flag: await createdFlag(ctx, { projectId, key: clone.key }), revisions };
  });
}

/** Returns the change that clones a flag. */
function cloning(
  source: FlagWithTags,
  { key, name, keepState }: Omit<CloneFlag, "id">,
  now: number,
): SingleChange {
  const { id, projectId, description, flagType, prerequisites, ownerIds } = source;
  const values = valuesOf(source);
  const flag = { key, name, description, flagType, ...values, prerequisites, ownerIds };
  const { before: tags } = replacedTags(source.attachedTags, []);
  const entityId = queries.flagIdByKey(projectId, key);
  return {
    guards: [
      unchanged(flags, source),
      { quota: "FLAGS", count: queries.countFlags(projectId) },
      requiresNoArchived(id, "cloned"),
      { quota: "RULE_BYTES", bytes: ruleBytesWithClone(projectId, id) },
    ],
    statements: [
      queries.insertFlag({
        ...storedValues(values),
        key,
        name,
        description,
        flagType,
        projectId,
        createdAt: now,
        updatedAt: now,
      }),
      copyTags(id, entityId),
      copyPrerequisites(id, entityId),
      copyOwners(id, entityId),
      ...copyStrategiesOfFlag(id, { flagId: entityId, withState: keepState }, now),
    ],
    audit: [
      {
        action: "flag.created",
        entityType: "flag",
        entityId,
        projectId,
        after: { ...flag, tags, clonedFrom: source.key, keepState },
      },
    ],
    events: [{ type: "flag.created", projectId, entityId, data: { flag } }],
    ruleChanges: ruleInEveryEnvironment(projectId, { key, name }),
    onDuplicate: conflict("A flag with this key exists in the project"),
  };
}
