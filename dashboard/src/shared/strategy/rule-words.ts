import type { Serve } from "../api/types.ts";
import { constraintText } from "../constraints/constraint-text.ts";
import type { Formats } from "../i18n/formats.ts";
import type { Translate } from "../i18n/translate.ts";
import type { Activation } from "./settings.ts";

/** The functions that describe strategies and rules in the language of the page. */
export interface RuleWords extends Pick<Formats, "exactPercent" | "list" | "either"> {
  readonly t: Translate;
  readonly segmentName: (id: number) => string;
}

/** For whom a strategy or one of its ordered rules is. */
type Targeting = Pick<Activation, "exactPercentage" | "constraints" | "segmentIds">;

/** Words for users. The kind decides about the grammar of the words that follow. */
interface Who {
  readonly kind: "nobody" | "everyone" | "share" | "those";
  readonly text: string;
}

/**
 * Returns words for the users to whom a strategy or rule applies, such as `25 % of those where
 * country is DE and who are in EU customers`. `others` adds that earlier rules did not decide.
 */
export function whoWords(words: RuleWords, targeting: Targeting, others: "who" | "else"): Who {
  const { t, exactPercent } = words;
  const { exactPercentage } = targeting;
  const share = exactPercent(exactPercentage / 100);
  const conditions = conditionWords(words, targeting);
  if (exactPercentage === 0) return { kind: "nobody", text: t(`says.${others}.nobody`) };
  if (conditions !== undefined) {
    const key = exactPercentage === 100 ? "those" : "shareOfThose";
    return { kind: "those", text: t(`says.${others}.${key}`, { share, conditions }) };
  }
  return exactPercentage === 100
    ? { kind: "everyone", text: t(`says.${others}.everyone`) }
    : { kind: "share", text: t(`says.${others}.share`, { share }) };
}

function conditionWords(
  words: RuleWords,
  { constraints, segmentIds }: Targeting,
): string | undefined {
  const { t, list, segmentName } = words;
  const and = ` ${t("says.and")} `;
  const conditions: string[] = [];
  // Leave out the constraints whose context field the user has not chosen yet.
  const built = constraints.filter(({ field }) => field !== "");
  if (built.length > 0) {
    const texts = built.map((constraint) => constraintText(t, constraint, words)).join(and);
    conditions.push(t("says.where", { constraints: texts }));
  }
  if (segmentIds.length > 0)
    conditions.push(t("says.inSegments", { segments: list(segmentIds.map(segmentName)) }));
  return conditions.length === 0 ? undefined : conditions.join(and);
}

/**
 * Returns words for who gets what, such as `25 % of those where country is DE get blue`. The
 * variants `on` and `off` read as the state of a flag: `off for everyone else`.
 */
export function clause(
  words: RuleWords,
  rule: Targeting & Pick<Activation, "serve">,
  others: "who" | "else" = "who",
): string {
  const { t } = words;
  const { kind, text: who } = whoWords(words, rule, others);
  if (isServing(rule.serve, "on")) return t("says.onFor", { who });
  if (isServing(rule.serve, "off")) return t("says.offFor", { who });
  return t(`says.get.${kind}`, { who, what: servedWords(words, rule.serve) });
}

/** Returns words for what is served: the key of a variant, or `blue (25%) or green (75%)`. */
export function servedWords({ t, exactPercent, either }: RuleWords, serve: Serve): string {
  if ("variant" in serve) return serve.variant;
  const parts = Object.entries(serve.weights).filter(([, weight]) => weight > 0);
  return either(
    parts.map(([variant, weight]) =>
      t("says.part", { variant, share: exactPercent(weight / 100) }),
    ),
  );
}

export const isServing = (serve: Serve, variant: string): boolean =>
  "variant" in serve && serve.variant === variant;

/** Returns a sentence for clauses, such as `Off for those where plan is free; on for everyone else.` */
export function sentenceOf({ t }: RuleWords, clauses: readonly string[]): string {
  const text = clauses.join(t("says.separator"));
  return `${text.charAt(0).toLocaleUpperCase()}${text.slice(1)}.`;
}
