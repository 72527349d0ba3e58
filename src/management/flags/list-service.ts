import type { Actor } from "@feature-flags/permissions/permissions";
import type { SQL } from "drizzle-orm";
import { notFound } from "../../core/errors/api-error.ts";
import { usedSegments } from "../../core/strategies/strategy.ts";
import type { ReadDb } from "../../db/database.ts";
import { type Page, type PageRequest, toPage } from "../../http/paging.ts";
import { type Call, reads } from "../../access/call.ts";
import { findEnvironment } from "../../model/environments/queries.ts";
import { expectFits, readFitting } from "../../db/list-bytes.ts";
import { inScope, listedProjects } from "../../access/scope.ts";
import { strategiesOf, type StrategyRow } from "../../model/strategies/queries.ts";
import {
  countMatchingFlags,
  separateIds,
  type FlagFilter,
  type FlagSlice,
  type FlagOrder,
  pageBytes,
  pageOfChangedFlags,
  pageOfFlags,
} from "../../model/flags/list-queries.ts";
import { type Pending, pendingOf } from "../../model/flags/pending-queries.ts";
import * as queries from "../../model/flags/queries.ts";
import type { FlagRow, LastEditor } from "../../model/flags/queries.ts";

export interface ListRequest extends FlagFilter, PageRequest {
  readonly sort?: FlagOrder | undefined;
  /** Lists only favourite flags of the user. For an API key, the list is empty. */
  readonly favourite?: "true" | undefined;
}

export interface FlagWithStrategy {
  readonly flag: FlagRow;
  readonly strategy: StrategyRow;
}

type Rows<T extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<T>>;

/** The user or API key that changed a flag last. The name is null if the caller may not see it. */
type VisibleChange = Omit<LastEditor, "name"> & { readonly name: string | null };

export interface EnrichedFlag {
  readonly flag: FlagRow;
  readonly lastChange: VisibleChange | null;
  readonly strategies: readonly StrategyRow[];
  readonly segments: Rows<typeof queries.segmentsByIds>;
  readonly tags: Rows<typeof queries.tagsOf>;
  readonly contexts: Rows<typeof queries.contextsOfProjects>;
  /** What waits for the flag. Undefined without `counts`. */
  readonly pending: Omit<Pending, "flagId"> | undefined;
}

/**
 * Returns a page of flags. Throws: 403 for an API key of another project, 400 for a page that is too large.
 */
export function listFlags(call: Call, input: ListRequest): Promise<Page<FlagRow>> {
  const { db, actor } = reads(call, "flag:read");
  return pageOf(db, inListedProject(actor, input), pageOfFlags);
}

/**
 * Returns a page of the flags of the environment's project, each with its strategy in that
 * environment. Throws: 404 for an unknown environment and for an environment of another project
 * than `projectId`, 403 for an API key of another project.
 */
export async function listFlagsByEnvironment(
  call: Call,
  input: ListRequest & { readonly environmentId: number },
): Promise<Page<FlagWithStrategy>> {
  const ctx = reads(call, "flag:read");
  const { db, actor } = ctx;
  const { environmentId, differsFrom } = input;
  const environment = await findEnvironment(db, environmentId);
  const missing = notFound("The environment does not exist");
  const { projectId } = inScope(ctx, environment, missing);
  if (input.projectId !== undefined && input.projectId !== projectId)
    throw notFound("The environment does not exist in this project");
  if (differsFrom !== undefined) {
    const other = await findEnvironment(db, differsFrom);
    if (other?.projectId !== projectId)
      throw notFound("The environment to compare with does not exist in the project");
  }
  const page = await pageOf(db, { ...withFavourites(actor, input), projectId }, pageOfFlags);
  const strategies = await strategiesOf(db, page.items, environmentId);
  const byFlag = new Map(strategies.map((strategy) => [strategy.flagId, strategy]));
  // Omits a flag without a strategy: it was deleted after the page was read.
  const items = page.items.flatMap((flag) => {
    const strategy = byFlag.get(flag.id);
    return strategy ? { flag, strategy } : [];
  });
  return { ...page, items };
}

/**
 * Returns a page of flags with their last change, strategies, segments and tags, and the context
 * definitions that their constraints use, and with `counts` what waits for them. Executes seven SQL
 * statements, and one for the counts, regardless of the size of the page. Throws: 400 for a page that is too large, 403 for an API key of another project.
 */
export async function listEnrichedFlags(
  call: Call,
  input: ListRequest & { readonly counts?: boolean | undefined },
): Promise<Page<EnrichedFlag>> {
  const ctx = reads(call, "flag:read");
  const page = await pageOf(ctx.db, inListedProject(ctx.actor, input), pageOfChangedFlags);
  const ids = page.items.map((flag) => flag.id);
  const [, tags, contexts, pending] = await Promise.all([
    expectFits(
      ctx.db,
      queries.enrichedBytes(ids),
      "ask for a smaller size, or for one environment with GET /api/v1/flags/by-environment",
    ),
    queries.tagsOf(ctx.db, ids),
    queries.contextsOfProjects(ctx.db, [...new Set(page.items.map((flag) => flag.projectId))]),
    input.counts ? pendingOf(ctx.db, ids) : undefined,
  ]);
  const strategies = await strategiesOf(ctx.db, page.items, undefined);
  const segmentIds = new Set(strategies.flatMap(({ content }) => usedSegments(content)));
  const segments = await queries.segmentsByIds(ctx.db, [...segmentIds]);
  const strategiesByFlag = Map.groupBy(strategies, (strategy) => strategy.flagId);
  const tagsByFlag = Map.groupBy(tags, (tag) => tag.flagId);
  const pendingByFlag =
    pending && new Map(pending.map(({ flagId, ...counts }) => [flagId, counts]));
  const items = page.items.map(({ lastChange, ...flag }) => {
    const own = strategiesByFlag.get(flag.id) ?? [];
    const contents = own.map(({ content }) => content);
    const used = new Set(contents.flatMap(usedSegments));
    const ownSegments = segments.filter((segment) => used.has(segment.id));
    const fields = new Set(
      [...contents, ...contents.flatMap(({ rules }) => rules), ...ownSegments].flatMap((holder) =>
        holder.constraints.map(({ field }) => field),
      ),
    );
    return {
      flag,
      lastChange: lastChange && visible(lastChange, ctx.actor),
      strategies: own,
      segments: ownSegments,
      tags: tagsByFlag.get(flag.id) ?? [],
      contexts: contexts.filter(
        (context) => context.projectId === flag.projectId && fields.has(context.contextKey),
      ),
      pending: pendingByFlag && (pendingByFlag.get(flag.id) ?? NOTHING_PENDING),
    };
  });
  return { ...page, items };
}

const NOTHING_PENDING = { changeRequests: 0, scheduled: 0, ramps: 0 };

/** Returns the change without the name of a user if the caller is an API key. */
const visible = (change: LastEditor, actor: Actor): VisibleChange =>
  change.kind === "user" && actor.kind !== "user" ? { ...change, name: null } : change;

/** The user id with which the filter for favourites finds no flag, because ids of users start at 1. */
const NOBODY = 0;

/** Returns the request with the user whose favourites the list contains. */
const withFavourites = (actor: Actor, input: ListRequest): ListRequest =>
  input.favourite === undefined
    ? input
    : { ...input, favouriteOf: actor.kind === "user" ? actor.id : NOBODY };

const inListedProject = (actor: Actor, input: ListRequest): ListRequest => ({
  ...withFavourites(actor, input),
  ...listedProjects(actor, input.projectId),
});

/**
 * Returns a page of what `find` returns, which is `pageOfFlags` or `pageOfChangedFlags`. Throws: 400
 * for a page that is too large.
 */
async function pageOf<T extends { readonly id: number }>(
  db: ReadDb,
  request: ListRequest,
  find: (db: ReadDb, filter: FlagFilter, slice: FlagSlice, condition: SQL) => Promise<T[]>,
): Promise<Page<T>> {
  const { page, size, sort } = request;
  const chosen = { order: sort, limit: size, offset: page * size };
  const ids = await separateIds(db, request, chosen);
  const slice = { ...chosen, ids };
  const bytes = pageBytes(db, request, slice);
  const [items, total] = await Promise.all([
    readFitting(db, { bytes, advice: "ask for a smaller size" }, (condition) =>
      find(db, request, slice, condition),
    ),
    countMatchingFlags(db, request),
  ]);
  if (!ids) return toPage(items, request, total);
  const places = new Map(ids.map((id, place) => [id, place]));
  const placeOf = ({ id }: T) => places.get(id) ?? 0;
  return toPage(
    items.toSorted((a, b) => placeOf(a) - placeOf(b)),
    request,
    total,
  );
}
