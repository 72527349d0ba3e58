import type { TFunction } from "i18next";
import { DEFAULT_STICKINESS } from "@feature-flags/evaluation/context";
import { constraintText } from "../../shared/constraints/constraint-text.ts";
import type { formatsOf } from "../../shared/i18n/use-format.ts";
import type { StrategySettings } from "../../shared/strategy/fields.tsx";
import type { SegmentsById, StrategyContent } from "./strategy.ts";

type Format = Pick<ReturnType<typeof formatsOf>, "percent" | "list" | "either">;

/**
 * Returns a sentence, without technical terms, that says for whom the flag is on in one
 * environment.
 */
export function strategySentence(
  t: TFunction,
  format: Format,
  strategy: StrategySettings,
  segments: SegmentsById,
): string {
  if (!strategy.enabled) return offWords(t, format, strategy, segments);
  if (strategy.percentage === 0)
    return t("flag.says.nobodyAtZero", { share: format.percent(strategy.percentage) });
  const empty = emptySegment(strategy, segments);
  if (empty !== undefined) return t("flag.says.nobodyInSegment", { segment: empty });
  const who = whoWords(t, format, strategy, segments);
  if (strategy.percentage === 100) return t("flag.says.on", { who });
  return t("flag.says.onForShare", { who, sticky: stickyWords(t, strategy.stickiness) });
}

function offWords(
  t: TFunction,
  format: Format,
  strategy: StrategyContent,
  segments: SegmentsById,
): string {
  const isForAll =
    strategy.percentage === 100 &&
    strategy.constraints.length === 0 &&
    strategy.segmentIds.length === 0;
  const isForNobody = strategy.percentage === 0 || emptySegment(strategy, segments) !== undefined;
  if (isForAll || isForNobody) return t("flag.says.off");
  return t("flag.says.offUntilOn", { who: whoWords(t, format, strategy, segments) });
}

/**
 * Returns words for the users to whom a strategy applies, such as `25 % of those where country is
 * DE and who are in EU customers`.
 */
function whoWords(
  t: TFunction,
  format: Format,
  { percentage, constraints, segmentIds }: StrategyContent,
  segments: SegmentsById,
): string {
  const share = format.percent(percentage / 100);
  const and = ` ${t("flag.says.and")} `;
  const conditions: string[] = [];
  // Leave out the constraints whose context field the user has not chosen yet.
  const built = constraints.filter(({ field }) => field !== "");
  if (built.length > 0) {
    const words = built.map((constraint) => constraintText(t, constraint, format)).join(and);
    conditions.push(t("flag.says.where", { constraints: words }));
  }
  if (segmentIds.length > 0) {
    const names = segmentIds.map((id) => segmentName(id, segments));
    conditions.push(t("flag.says.inSegments", { segments: format.list(names) }));
  }
  if (conditions.length === 0)
    return percentage === 100 ? t("flag.says.everyone") : t("flag.says.shareOfAll", { share });
  const joined = conditions.join(and);
  return percentage === 100
    ? t("flag.says.those", { conditions: joined })
    : t("flag.says.shareOfThose", { share, conditions: joined });
}

/**
 * Returns words for the value that decides whether a user is within the roll-out percentage. This
 * value gives each user the same result every time.
 */
function stickyWords(t: TFunction, stickiness: string | null): string {
  if (stickiness === null) return t("flag.says.stickyByDefault");
  const isUser = DEFAULT_STICKINESS.some((field) => field === stickiness);
  return t(isUser ? "flag.says.stickyUser" : "flag.says.stickyField", { field: stickiness });
}

/**
 * Returns the name of the strategy's first segment without constraints, or undefined. A segment
 * without constraints matches nobody.
 */
function emptySegment({ segmentIds }: StrategyContent, segments: SegmentsById): string | undefined {
  const found = segmentIds.find((id) => segments.get(id)?.constraints.length === 0);
  return found === undefined ? undefined : segmentName(found, segments);
}

export const segmentName = (id: number, segments: SegmentsById): string =>
  segments.get(id)?.name ?? `#${id}`;
