import { queryOptions } from "@tanstack/react-query";
import { type RuleStrategy, toClientRule } from "@feature-flags/evaluation/rule";
import type { Flag, Serve, Strategy } from "../../shared/api/types.ts";
import type { SegmentsById } from "../../shared/strategy/segments-by-id.ts";
import type { StrategyContent } from "../../shared/strategy/settings.ts";

type Edited = StrategyContent & Pick<Strategy, "enabled">;

/**
 * What SDKs of Unleash would not evaluate exactly of a flag with a strategy. Loads the mapping to
 * Unleash when it is first needed.
 */
export const unleashNotesQuery = (flag: Flag, strategy: Edited, segments: SegmentsById) => {
  const rule = toClientRule(flag, ruleStrategyOf(strategy), segments);
  return queryOptions({
    queryKey: ["unleash-notes", rule],
    queryFn: async () => (await import("@feature-flags/unleash")).notesOf(rule),
    staleTime: Infinity,
  });
};

/** Returns a strategy of the form as the service would make it. Ids of rules do not matter. */
const ruleStrategyOf = ({ rules, ...last }: Edited): RuleStrategy => ({
  ...settingsOf(last),
  rules: rules.map((rule, index) => Object.assign(settingsOf(rule), { id: String(index) })),
});

const settingsOf = <S extends { readonly exactPercentage: number; readonly serve: Serve }>(
  settings: S,
) => ({
  ...settings,
  percentage: settings.exactPercentage,
  serve: slotsOf(settings.serve),
});

/** How many positions one per cent of a split has. */
const POSITIONS_PER_PERCENT = 1000;

/** Returns the split with one slot for each variant. The service may make more slots of it. */
function slotsOf(serve: Serve) {
  if ("variant" in serve) return serve;
  let from = 0;
  const slots = Object.entries(serve.weights).map(([variant, weight]) => {
    const to = from + Math.round(weight * POSITIONS_PER_PERCENT);
    const slot = [from, to, variant] as const;
    from = to;
    return slot;
  });
  return { slots: slots.filter(([start, end]) => end > start) };
}
