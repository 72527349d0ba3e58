import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { Strategy } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { checksADay } from "../../shared/checks.ts";
import { usageQuery } from "../../shared/data/usage-of-flags.ts";
import type { SegmentsById } from "../../shared/strategy/segments-by-id.ts";
import { useMovesWords } from "../../shared/strategy/use-moves-words.ts";
import { type DraftChange, movesQuery } from "./queries.ts";

/** How long the user must pause before the page asks the API, in milliseconds. */
const PAUSE_MS = 400;

export interface MovesInput {
  strategy: Strategy;
  values: DraftChange["change"];
  /** Whether the user can save the values now. The API is asked only then. */
  canSave: boolean;
  segments: SegmentsById;
}

/** As `useMovesText`, for values that the user may still be typing. */
export function useMovesTextAfterPause({
  values,
  canSave,
  ...input
}: MovesInput): string | undefined {
  const [settled] = useDebouncedValue(values, PAUSE_MS);
  return useMovesText({ ...input, values, canSave: canSave && settled === values });
}

/** A sentence about the share of users who get another value. Undefined if it is unknown. */
export function useMovesText({
  strategy,
  values,
  canSave: isAsked,
  segments,
}: MovesInput): string | undefined {
  const { t } = useTranslation();
  const words = useMovesWords(segments);
  // The query key contains the values, so that an answer about earlier values is never shown.
  const { data: moves } = useQuery({
    ...movesQuery(t, { strategy, change: values }),
    enabled: isAsked,
  });
  const { flagId, environmentId } = strategy;
  const usage = useQuery({
    ...usageQuery(environmentId, [flagId]),
    enabled: isAsked,
    retry: false,
  });
  if (!isAsked || typeof moves !== "number" || usage.isPending) return undefined;
  const counts = usage.data?.get(flagId) ?? [];
  return words({ moves, checksADay: checksADay(counts) }, strategy, values);
}
