import { DEFAULT_STICKINESS } from "@feature-flags/evaluation/context";
import { clause, isServing, type RuleWords, sentenceOf, whoWords } from "./rule-words.ts";
import type { StrategyContent, StrategySettings } from "./settings.ts";
import { segmentName, type SegmentsById } from "./segments-by-id.ts";

/** The most ordered rules that the sentence about a strategy describes one by one. */
const MAX_RULES = 3;

/** Says without technical terms who gets what in one environment. */
export const strategySentence = (
  words: RuleWords,
  strategy: StrategySettings,
  segments: SegmentsById,
): string =>
  // An incomplete constraint is an ellipsis, which needs no full stop.
  fullSentence(words, strategy, segments).replace(/…\.$/, "…");

function fullSentence(
  words: RuleWords,
  strategy: StrategySettings,
  segments: SegmentsById,
): string {
  const { t } = words;
  if (!strategy.enabled) return offSentence(words, strategy, segments);
  if (strategy.rules.length > 0) return sentenceOf(words, clausesOf(words, strategy));
  if (strategy.exactPercentage === 0)
    return t("says.nobodyAtZero", { share: words.exactPercent(0) });
  const empty = emptySegment(strategy, segments);
  if (empty !== undefined) return t("says.nobodyInSegment", { segment: empty });
  return sentenceOf(words, [clause(words, strategy), ...stickyClauses(words, strategy)]);
}

/** Returns words for what the ordered rules and the last rule serve, in their order. */
function clausesOf(words: RuleWords, strategy: StrategyContent): string[] {
  const { rules } = strategy;
  const last = clause(words, strategy, rules.length > 0 ? "else" : "who");
  return rules.length > MAX_RULES
    ? [words.t("says.manyRules", { count: rules.length, last })]
    : [...rules.map((rule) => clause(words, rule)), last];
}

function offSentence(words: RuleWords, strategy: StrategyContent, segments: SegmentsById): string {
  const { t } = words;
  if (strategy.rules.length > 0 || !isServing(strategy.serve, "on"))
    return t("says.offUntilOnWithRules", {
      what: clausesOf(words, strategy).join(t("says.separator")),
    });
  const { kind, text: who } = whoWords(words, strategy, "who");
  const isForNobody = kind === "nobody" || emptySegment(strategy, segments) !== undefined;
  return kind === "everyone" || isForNobody ? t("says.off") : t("says.offUntilOn", { who });
}

/**
 * Returns words for the field that a roll-out or a split hashes; none if that is the default, and if everybody
 * gets the same.
 */
function stickyClauses({ t }: RuleWords, strategy: StrategyContent): string[] {
  const { exactPercentage, stickiness, serve, splitStickiness } = strategy;
  const splitBy = "weights" in serve ? (splitStickiness ?? stickiness) : null;
  const field = exactPercentage < 100 ? stickiness : splitBy;
  if (field === null) return [];
  const isUser = DEFAULT_STICKINESS.some((known) => known === field);
  return [t(isUser ? "says.stickyUser" : "says.stickyField", { field })];
}

/**
 * Returns the name of the strategy's first segment without constraints, or undefined. A segment
 * without constraints matches nobody.
 */
function emptySegment({ segmentIds }: StrategyContent, segments: SegmentsById): string | undefined {
  const found = segmentIds.find((id) => segments.get(id)?.constraints.length === 0);
  return found === undefined ? undefined : segmentName(found, segments);
}
