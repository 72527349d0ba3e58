import { movedUsers } from "./moved-users.ts";
import { type RuleWords, whoWords } from "./rule-words.ts";
import type { Activation, StrategyContent } from "./settings.ts";

export interface Impact {
  /** The share of users, 0 to 1, who get another value. */
  readonly moves: number;
  /** How often the flag is evaluated on a day. By default, the words say nothing about that. */
  readonly checksADay?: number | undefined;
}

/**
 * Says which share of users gets another value after a change of a strategy, how many checks a day that
 * is, and who the users are if only users with certain conditions are concerned. The words say "at most"
 * and "up to" if there is a condition, because the share of users who meet the condition is unknown.
 */
export function movesWords(
  words: RuleWords,
  { moves, checksADay = 0 }: Impact,
  before: StrategyContent,
  after: StrategyContent,
): string {
  const { t } = words;
  if (moves === 0) return t("rules.moves.none");
  const isKnown = !hasConditions(before) && !hasConditions(after);
  const who = isKnown
    ? t("rules.moves.exact", { share: words.exactPercent(moves) })
    : movedWords(words, moves, before, after);
  const count = Math.round(Number((moves * checksADay).toPrecision(2)));
  if (count < 1) return who;
  return `${who} ${t(isKnown ? "rules.moves.about" : "rules.moves.upTo", { count })}`;
}

function movedWords(
  words: RuleWords,
  moves: number,
  before: StrategyContent,
  after: StrategyContent,
): string {
  const { t } = words;
  const users = movedUsers(before, after);
  if (!users)
    return moves < 1
      ? t("rules.moves.atMost", { share: words.exactPercent(moves) })
      : t("rules.moves.any");
  const who = concerned(words, { ...users, exactPercentage: moves * 100 });
  if (users.isExact) return t("rules.moves.exactOf", { who: capitalized(who) });
  return moves < 1
    ? t("rules.moves.atMostOf", { who })
    : t("rules.moves.some", { who: capitalized(who) });
}

/** The fields of a context that have the name of a place. */
const PLACES = new Set(["country", "region", "city"]);

/** Returns words for users with conditions, such as `27.5% of users in DE and AT`. */
function concerned(
  words: RuleWords,
  users: Pick<Activation, "exactPercentage" | "constraints" | "segmentIds">,
): string {
  const { t } = words;
  const { exactPercentage, constraints, segmentIds } = users;
  const [{ field, operator, values } = NO_CONSTRAINT, ...others] = constraints;
  const isPlace = PLACES.has(field) && (operator === "in" || operator === "equals");
  if (!isPlace || others.length > 0 || segmentIds.length > 0 || values.length > MAX_PLACES)
    return whoWords(words, users, "who").text;
  const places = words.list(values);
  return exactPercentage === 100
    ? t("rules.moves.inPlaces", { places })
    : t("rules.moves.shareInPlaces", { places, share: words.exactPercent(exactPercentage / 100) });
}

const NO_CONSTRAINT = { field: "", operator: "", values: [] };

/** With more places, the words name the field and shorten the list of its values. */
const MAX_PLACES = 8;

const capitalized = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

const hasConditions = (strategy: StrategyContent): boolean =>
  [strategy, ...strategy.rules].some(
    ({ constraints, segmentIds }) => constraints.length > 0 || segmentIds.length > 0,
  );
