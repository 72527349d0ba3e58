import { infiniteQueryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import {
  compileRule,
  type CompiledRule,
  linkPrerequisites,
} from "@feature-flags/evaluation/evaluate";
import { ruleStrategyOf } from "@feature-flags/evaluation/api-strategy";
import { type ClientRule, toClientRule } from "@feature-flags/evaluation/rule";
import { dataOf } from "../../shared/api/response.ts";
import { api } from "../../shared/api/client.ts";
import type { Schemas, Segment } from "../../shared/api/types.ts";
import { segmentsQuery } from "../../shared/data/project-lists.ts";
import { variantColors } from "../../shared/flags/variant-colors.ts";

/** The number of flags per request: the largest page size of `GET /api/v1/flags/by-environment`. */
const PAGE_SIZE = 100;

/** How long loaded flags stay fresh, in milliseconds: the default poll interval of SDKs. */
const STALE_TIME_MS = 30_000;

type FlagPage = Schemas["FlagInEnvironmentPage"];
type FlagInEnvironment = Schemas["FlagInEnvironment"];

/** A flag with its rule in one environment. The rule is in the form that SDKs receive. */
export interface FlagWithRule {
  readonly flag: FlagInEnvironment;
  readonly rule: ClientRule;
  readonly compiled: CompiledRule;
  /** The names of the ordered rules by id. A rule without a name is left out. */
  readonly ruleNames: ReadonlyMap<string, string>;
  /** Returns the colour of a variant. */
  readonly color: (variant: string) => string;
}

/** Flags with their rules by key. */
export interface KnownFlags {
  readonly entries: ReadonlyMap<string, FlagWithRule>;
  readonly rules: ReadonlyMap<string, ClientRule>;
}

export const NO_FLAGS: KnownFlags = { entries: new Map(), rules: new Map() };

const flagsQuery = (environmentId: number) =>
  infiniteQueryOptions({
    queryKey: ["flags", "by-environment", "all", environmentId],
    queryFn: ({ pageParam: page, signal }) =>
      dataOf(
        api.GET("/api/v1/flags/by-environment", {
          params: { query: { environmentId, page, size: PAGE_SIZE } },
          signal,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ page, totalPages }) => (page + 1 < totalPages ? page + 1 : undefined),
    staleTime: STALE_TIME_MS,
  });

/** Loads all flags page by page. `loaded` has the flags of the pages that have arrived. */
export function useFlagsWithRules(projectId: number, environmentId: number) {
  const flags = useInfiniteQuery(flagsQuery(environmentId));
  const segments = useQuery(segmentsQuery(projectId));
  const { hasNextPage, isFetching, isError, fetchNextPage } = flags;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);

  const pages = flags.data?.pages;
  const allSegments = segments.data;
  // The compiler caches the compiled rules of each page of flags, so the next page does not compile
  // the rules of the earlier pages again.
  const compile = useMemo(() => allSegments && pageCompiler(allSegments), [allSegments]);
  const loaded = useMemo(() => compile && pages?.flatMap(compile), [compile, pages]);
  const known = useMemo(() => knownFlags(loaded ?? []), [loaded]);
  const isComplete = flags.data !== undefined && !hasNextPage;
  const evaluable = useMemo(
    () => (isComplete ? loaded : loaded?.filter(({ rule }) => hasRequiredFlags(rule, known.rules))),
    [isComplete, loaded, known],
  );

  return {
    loaded,
    /** Leaves out flags whose required flags have not arrived yet. */
    evaluable,
    known,
    total: pages?.[0]?.totalItems ?? 0,
    isComplete,
    error: flags.error ?? segments.error,
    retry: () => {
      if (segments.isError) void segments.refetch();
      if (flags.isError) void (flags.data ? fetchNextPage() : flags.refetch());
    },
  };
}

/** Indexes flags by key, and links the compiled rules to the rules of the flags they require. */
function knownFlags(flags: readonly FlagWithRule[]): KnownFlags {
  linkPrerequisites(new Map(flags.map(({ rule, compiled }) => [rule.key, compiled])));
  return {
    entries: new Map(flags.map((entry) => [entry.rule.key, entry])),
    rules: new Map(flags.map(({ rule }) => [rule.key, rule])),
  };
}

/** Whether `rules` contains all flags that the flag requires, to any depth. */
function hasRequiredFlags(rule: ClientRule, rules: KnownFlags["rules"]): boolean {
  const required = new Set(rule.prerequisites?.map(({ flagKey }) => flagKey));
  // The loop also visits the keys that it adds.
  for (const key of required) {
    const found = rules.get(key);
    if (found === undefined) return false;
    for (const { flagKey } of found.prerequisites ?? []) required.add(flagKey);
  }
  return true;
}

function pageCompiler(segments: readonly Segment[]): (page: FlagPage) => FlagWithRule[] {
  const byId = new Map(segments.map((segment) => [segment.id, segment]));
  const compiled = new WeakMap<FlagPage, FlagWithRule[]>();
  return (page) => {
    const found = compiled.get(page) ?? page.items.map((flag) => toFlagWithRule(flag, byId));
    compiled.set(page, found);
    return found;
  };
}

function toFlagWithRule(
  flag: FlagInEnvironment,
  segments: ReadonlyMap<number, Segment>,
): FlagWithRule {
  const rule = toClientRule(flag, ruleStrategyOf(flag.strategy), segments);
  return {
    flag,
    rule,
    compiled: compileRule(rule),
    ruleNames: new Map(
      flag.strategy.rules.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])),
    ),
    color: variantColors(flag.variants),
  };
}
