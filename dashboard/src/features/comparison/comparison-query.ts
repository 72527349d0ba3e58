import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import { dataOf } from "../../shared/api/response.ts";
import type { Flag, Strategy } from "../../shared/api/types.ts";
import { differingFields } from "../../shared/strategy/fields.tsx";
import type { StrategyField } from "../../shared/strategy/fields.tsx";

/** The number of flags per request, the most that the API allows. */
const PAGE_SIZE = 200;

/** The most flags that are compared: five requests for each of the two environments. */
const MAX_COMPARED = 1000;

interface Sides {
  from: number;
  to: number;
}

interface Query extends Sides {
  projectId: number;
  /** Whether to load flags that do not differ, too. */
  isAll: boolean;
  search: string | undefined;
}

/** A flag with its strategies in the two environments. */
export interface ComparedFlag {
  flag: Pick<Flag, "id" | "key" | "name">;
  from: Strategy;
  to: Strategy;
  fields: readonly StrategyField[];
}

export interface Comparison {
  flags: readonly ComparedFlag[];
  /** The number of flags that are not compared, because they are above `MAX_COMPARED`. */
  left: number;
}

/**
 * The React Query options that load the flags of a project with their strategies in two
 * environments: two requests for up to 200 flags. The API leaves out most flags that do not differ;
 * the query leaves out the rest, whose strategies have the same effect.
 */
export const comparisonQuery = (query: Query) =>
  queryOptions({
    queryKey: ["comparison", query.projectId, query],
    queryFn: async ({ signal }): Promise<Comparison> => {
      const [from, to] = await Promise.all([
        strategiesIn(query.from, query.to, query, signal),
        strategiesIn(query.to, query.from, query, signal),
      ]);
      const targets = new Map(to.items.map(({ id, strategy }) => [id, strategy]));
      const flags = from.items.flatMap(({ id, key, name, strategy }): ComparedFlag[] => {
        const target = targets.get(id);
        if (!target) return [];
        const fields = differingFields(strategy, target);
        return [{ flag: { id, key, name }, from: strategy, to: target, fields }];
      });
      return {
        flags: query.isAll ? flags : flags.filter(({ fields }) => fields.length > 0),
        left: Math.max(0, from.totalItems - MAX_COMPARED),
      };
    },
    placeholderData: keepPreviousData,
  });

async function strategiesIn(
  environmentId: number,
  other: number,
  { projectId, isAll, search }: Query,
  signal: AbortSignal,
) {
  const load = (page: number) => {
    const query = {
      projectId,
      environmentId,
      ...(!isAll && { differsFrom: other }),
      ...(search !== undefined && { search }),
      sort: "name" as const,
      size: PAGE_SIZE,
      page,
    };
    return dataOf(api.GET("/api/v1/flags/by-environment", { params: { query }, signal }));
  };
  const first = await load(0);
  const pages = Math.min(first.totalPages, MAX_COMPARED / PAGE_SIZE);
  const numbers = Array.from({ length: Math.max(0, pages - 1) }, (_, n) => n + 1);
  const others = await Promise.all(numbers.map(load));
  return {
    items: [first, ...others].flatMap(({ items }) => items),
    totalItems: first.totalItems,
  };
}
