import type { Flag } from "../api/types.ts";
import { variantColors } from "../flags/variant-colors.ts";
import type { Translate } from "../i18n/translate.ts";
import { type Counts, evaluations, type Usage } from "./usage.ts";

/** A part of each bar of a usage chart: a result, or a variant. */
export interface UsagePart {
  readonly name: string;
  readonly label: string;
  /** The part as the summary names it in a sentence. */
  readonly inSentence: string;
  /** A CSS value. */
  readonly color: string;
  readonly isHatched: boolean;
  readonly count: (counts: Counts) => number;
}

/** The parts of the bars of a usage chart, from bottom to top. */
export interface UsageParts {
  readonly all: readonly UsagePart[];
  /** The part whose share the summary and the table state. */
  readonly summarised: UsagePart;
}

export function resultParts(t: Translate): UsageParts {
  const isTrue: UsagePart = {
    name: "t",
    label: t("insights.true"),
    inSentence: t("insights.inSentence.true"),
    color: "var(--usage-true)",
    isHatched: false,
    count: (counts) => counts.t,
  };
  const isFalse: UsagePart = {
    name: "f",
    label: t("insights.false"),
    inSentence: t("insights.inSentence.false"),
    color: "var(--usage-false)",
    isHatched: true,
    count: (counts) => counts.f,
  };
  return { all: [isTrue, isFalse], summarised: isTrue };
}

/**
 * Returns the parts of a chart by variant: the served variants in the order of the flag, then
 * variants that the flag no longer has, then the evaluations without a variant. Undefined for a
 * boolean flag, and if no variant was reported.
 */
export function variantParts(
  t: Translate,
  { valueType, variants }: Pick<Flag, "valueType" | "variants">,
  { totals }: Usage,
): UsageParts | undefined {
  const counted = Object.keys(totals.variants ?? {});
  if (valueType === "boolean" || counted.length === 0) return undefined;
  const color = variantColors(variants);
  const inOrder = variants.map(({ key }) => key).filter((key) => counted.includes(key));
  const served = [...new Set([...inOrder, ...counted])].map((key, index) => ({
    name: `v${index}`,
    label: key,
    inSentence: key,
    color: color(key),
    isHatched: false,
    count: (counts: Counts) => countOf(key, counts),
  }));
  const none = {
    name: "none",
    label: t("insights.noVariant"),
    inSentence: t("insights.inSentence.noVariant"),
    color: "var(--usage-false)",
    isHatched: true,
    count: countWithoutVariant,
  };
  const all = none.count(totals) === 0 ? served : [...served, none];
  const summarised = all.reduce((a, b) => (b.count(totals) > a.count(totals) ? b : a));
  return { all, summarised };
}

/** A variant may have the name of a property that all objects inherit, such as `constructor`. */
const countOf = (key: string, { variants = {} }: Counts): number =>
  (Object.hasOwn(variants, key) ? variants[key] : undefined) ?? 0;

/**
 * Returns the number of evaluations without a variant: the flag was off and has no off variant, or
 * the SDK does not count variants.
 */
const countWithoutVariant = (counts: Counts): number => {
  const served = Object.values(counts.variants ?? {}).reduce((sum, count) => sum + count, 0);
  return Math.max(0, evaluations(counts) - served);
};
