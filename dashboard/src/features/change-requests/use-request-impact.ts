import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import { dataOf } from "../../shared/api/response.ts";
import type { ChangeRequest } from "../../shared/api/types.ts";
import { toOperation } from "../../shared/change-requests/with-operation.ts";
import { segmentsQuery } from "../../shared/data/project-lists.ts";
import { checksADay, readUsage } from "../../shared/data/usage-of-flags.ts";
import { recordedSettings } from "../../shared/strategy/fields.tsx";
import { useMovesWords } from "../../shared/strategy/use-moves-words.ts";

type Operation = ChangeRequest["operations"][number];

/** The most strategies of a request whose impact its page shows. */
const SHOWN = 5;

/** A strategy that a request changes, with who gets a different value, in words. */
export interface Impact {
  readonly flag: string;
  readonly environmentId: number;
  readonly text: string;
}

/** Returns the impact of the first strategies of an open request. Without an answer of the API, there is none. */
export function useRequestImpact(request: ChangeRequest | undefined) {
  const sets = request?.state === "open" ? strategiesOf(request) : [];
  const projectId = request?.projectId ?? 0;
  const isAsked = sets.length > 0;
  const impact = useQuery({ ...impactQuery(projectId, sets), enabled: isAsked });
  const segments = useQuery({ ...segmentsQuery(projectId), enabled: isAsked });
  const words = useMovesWords(new Map(segments.data?.map((segment) => [segment.id, segment])));
  const shown = sets.flatMap((operation): Impact[] => {
    const { targetId, targetName, environmentId, current, base, after } = operation;
    const found = impact.data?.get(keyOf(targetId, environmentId));
    const settings = recordedSettings(current ?? base);
    const changed = recordedSettings(after);
    if (!found || !settings || !changed || environmentId === null) return [];
    return [
      { flag: targetName ?? `#${targetId}`, environmentId, text: words(found, settings, changed) },
    ];
  });
  return { shown, isLoading: isAsked && (impact.isPending || segments.isPending) };
}

const strategiesOf = ({ operations }: ChangeRequest): Operation[] =>
  operations
    .filter(({ kind, current }) => kind === "strategy.set" && current !== null)
    .slice(0, SHOWN);

const keyOf = (flagId: number, environmentId: number | null) => `${flagId} ${environmentId}`;

/**
 * The React Query options that ask the API which share of users, 0 to 1, would get another value by each
 * operation, and how often each flag is evaluated. The request saves nothing (`dryRun`). It is not
 * retried, because the impact is only additional information.
 */
const impactQuery = (projectId: number, sets: readonly Operation[]) =>
  queryOptions({
    queryKey: ["change-requests", "impact", projectId, sets],
    queryFn: async ({ signal }) => {
      const operations = sets.map(toOperation).filter((one) => one.kind === "strategy.set");
      const body = { projectId, operations, dryRun: true };
      const byEnvironment = Map.groupBy(sets, ({ environmentId }) => environmentId ?? 0);
      const usages = Array.from(byEnvironment, async ([environmentId, some]) => {
        const ids = some.map(({ targetId }) => targetId);
        return [environmentId, await readUsage(environmentId, ids, signal)] as const;
      });
      const [{ moves }, used] = await Promise.all([
        dataOf(api.POST("/api/v1/operations", { body, signal })),
        Promise.all(usages),
      ]);
      const usage = new Map(used);
      const shares = new Map(
        moves.map((move) => [keyOf(move.flagId, move.environmentId), move.share]),
      );
      return new Map(
        sets.map(({ targetId, environmentId }) => [
          keyOf(targetId, environmentId),
          {
            // The result leaves out strategies that would not change.
            moves: shares.get(keyOf(targetId, environmentId)) ?? 0,
            checksADay: checksADay(usage.get(environmentId ?? 0)?.get(targetId) ?? []),
          },
        ]),
      );
    },
    retry: false,
  });
