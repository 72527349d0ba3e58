import { notFound } from "../../core/errors/api-error.ts";
import type { Actor } from "@feature-flags/permissions/permissions";
import { type Page, type PageRequest, toPage } from "../../http/paging.ts";
import type { ManagementDeps } from "../deps.ts";
import { findEnvironment } from "../environments/queries.ts";
import { assertInScope, listedProject } from "../scope.ts";
import { strategiesOf, type StrategyRow } from "../strategies/queries.ts";
import {
  countMatchingFlags,
  type FlagFilter,
  type FlagOrder,
  pageOfFlags,
} from "./list-queries.ts";
import * as queries from "./queries.ts";
import type { FlagRow } from "./queries.ts";

export interface ListRequest extends FlagFilter, PageRequest {
  readonly sort?: FlagOrder | undefined;
}

export interface FlagWithStrategy {
  readonly flag: FlagRow;
  readonly strategy: StrategyRow;
}

type Rows<T extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<T>>;

export interface EnrichedFlag {
  readonly flag: FlagRow;
  readonly strategies: readonly StrategyRow[];
  readonly segments: Rows<typeof queries.segmentsByIds>;
  readonly tags: Rows<typeof queries.tagsOf>;
  readonly contexts: Rows<typeof queries.contextsOfProjects>;
}

/** Errors: 403 for a key of another project. */
export function listFlags(
  deps: ManagementDeps,
  actor: Actor,
  request: ListRequest,
): Promise<Page<FlagRow>> {
  return pageOf(deps, { ...request, projectId: listedProject(actor, request.projectId) });
}

/** The flags of the environment's project, each with its strategy there. Errors: 404, 403. */
export async function listFlagsByEnvironment(
  deps: ManagementDeps,
  actor: Actor,
  environmentId: number,
  request: ListRequest,
): Promise<Page<FlagWithStrategy>> {
  const environment = await findEnvironment(deps.db, environmentId);
  if (!environment) throw notFound("The environment");
  const { projectId } = environment;
  assertInScope(actor, projectId);
  const page = await pageOf(deps, { ...request, projectId, environmentId });
  const ids = page.items.map((flag) => flag.id);
  const strategies = await strategiesOf(deps.db, ids, environmentId);
  const byFlag = new Map(strategies.map((strategy) => [strategy.flagId, strategy]));
  // A flag that went away between the two reads has no strategy any more: leave it out.
  const items = page.items.flatMap((flag) => {
    const strategy = byFlag.get(flag.id);
    return strategy ? { flag, strategy } : [];
  });
  return { ...page, items };
}

/** Flags with all that belongs to them, in seven statements whatever the size of the page. */
export async function listEnrichedFlags(
  deps: ManagementDeps,
  actor: Actor,
  request: ListRequest,
): Promise<Page<EnrichedFlag>> {
  const page = await listFlags(deps, actor, request);
  const ids = page.items.map((flag) => flag.id);
  const [strategies, tags, contexts] = await Promise.all([
    strategiesOf(deps.db, ids, undefined),
    queries.tagsOf(deps.db, ids),
    queries.contextsOfProjects(deps.db, [...new Set(page.items.map((flag) => flag.projectId))]),
  ]);
  const segmentIds = new Set(strategies.flatMap(({ content }) => content.segmentIds));
  const segments = await queries.segmentsByIds(deps.db, [...segmentIds]);
  const strategiesByFlag = Map.groupBy(strategies, (strategy) => strategy.flagId);
  const tagsByFlag = Map.groupBy(tags, (tag) => tag.flagId);
  const items = page.items.map((flag) => {
    const own = strategiesByFlag.get(flag.id) ?? [];
    const contents = own.map(({ content }) => content);
    const used = new Set(contents.flatMap((content) => content.segmentIds));
    const ownSegments = segments.filter((segment) => used.has(segment.id));
    const fields = new Set(
      [...contents, ...ownSegments].flatMap((holder) =>
        holder.constraints.map(({ field }) => field),
      ),
    );
    return {
      flag,
      strategies: own,
      segments: ownSegments,
      tags: tagsByFlag.get(flag.id) ?? [],
      contexts: contexts.filter(
        (context) => context.projectId === flag.projectId && fields.has(context.contextKey),
      ),
    };
  });
  return { ...page, items };
}

async function pageOf(deps: ManagementDeps, request: ListRequest): Promise<Page<FlagRow>> {
  const { page, size, sort } = request;
  const [items, total] = await Promise.all([
    pageOfFlags(deps.db, request, sort, size, page * size),
    countMatchingFlags(deps.db, request),
  ]);
  return toPage(items, request, total);
}
