import type { Flag } from "../api/types.ts";
import { variantColors } from "../flags/variant-colors.ts";
import type { Translate } from "../i18n/translate.ts";
import { countOf, type Counts, evaluations } from "./usage.ts";

/** A part of each bar of a usage chart: on, off, or a variant. */
export interface UsagePart {
  readonly name: string;
  readonly label: string;
  /** The part as the summary names it in a sentence. */
  readonly inSentence: string;
  /** A CSS value. */
  readonly color: string;
  readonly count: (counts: Counts) => number;
  /** The number of evaluations of which the part is a share. Undefined if its share says nothing. */
  readonly of?: (counts: Counts) => number;
}

/** The parts of the bars of a usage chart, from bottom to top. */
export interface UsageParts {
  readonly all: readonly UsagePart[];
  /** The part whose share the summary and the table state. */
  readonly summarised: UsagePart;
  /** Whether some evaluations are of boolean flags and others of flags with variants. */
  readonly isMixed?: boolean;
}

/** Returns a part as a share from 0 to 1: 0 without evaluations, undefined if the share says nothing. */
export function shareOf({ count, of }: UsagePart, counts: Counts): number | undefined {
  const all = of?.(counts);
  return all === 0 ? 0 : all && count(counts) / all;
}

/** Returns the parts on and off of those of the counts that are of boolean flags. */
function switchParts(t: Translate, select: (counts: Counts) => Counts): UsageParts {
  const of = (counts: Counts) => evaluations(select(counts));
  const on: UsagePart = {
    name: "on",
    label: t("common.on"),
    inSentence: t("insights.inSentence.on"),
    color: "var(--usage-on)",
    count: (counts) => select(counts).t,
    of,
  };
  const off: UsagePart = {
    name: "off",
    label: t("common.off"),
    inSentence: t("insights.inSentence.off"),
    color: "var(--usage-off)",
    count: (counts) => select(counts).f,
    of,
  };
  return { all: [on, off], summarised: on };
}

/**
 * Returns the parts of a chart of all flags of an environment: on and off of the boolean flags, and the
 * evaluations of flags with variants. A kind of flag without evaluations has no part.
 */
export function environmentParts(t: Translate, totals: Counts): UsageParts {
  const ofBoolean = ({ boolean = { t: 0, f: 0 } }: Counts) => boolean;
  const booleans = evaluations(ofBoolean(totals));
  const switches = switchParts(t, ofBoolean);
  const valued: UsagePart = {
    name: "valued",
    label: t("insights.withVariants"),
    inSentence: t("insights.inSentence.withVariants"),
    color: "var(--usage-valued)",
    count: (counts) => evaluations(counts) - evaluations(ofBoolean(counts)),
  };
  if (valued.count(totals) === 0) return switches;
  if (booleans === 0) {
    const only = { ...valued, of: evaluations };
    return { all: [only], summarised: only };
  }
  return { ...switches, all: [...switches.all, valued], isMixed: true };
}

/**
 * Returns the parts of a chart of one flag: on and off for a boolean flag. Otherwise the served variants in the
 * order of the flag, then variants that the flag no longer has, then the evaluations without a variant.
 */
export function flagParts(
  t: Translate,
  { valueType, variants }: Pick<Flag, "valueType"> & { variants: readonly { key: string }[] },
  totals: Counts,
): UsageParts {
  if (valueType === "boolean") return switchParts(t, (counts) => counts);
  const counted = Object.keys(totals.variants ?? {});
  const color = variantColors(variants);
  const inOrder = variants.map(({ key }) => key).filter((key) => counted.includes(key));
  const served = [...new Set([...inOrder, ...counted])].map((key, index): UsagePart => ({
    name: `v${index}`,
    label: key,
    inSentence: key,
    color: color(key),
    count: (counts) => countOf(key, counts),
    of: evaluations,
  }));
  const none: UsagePart = {
    name: "none",
    label: t("insights.noVariant"),
    inSentence: t("insights.inSentence.noVariant"),
    color: "var(--usage-off)",
    count: countWithoutVariant,
    of: evaluations,
  };
  const all = served.length > 0 && none.count(totals) === 0 ? served : [...served, none];
  const summarised = all.reduce((a, b) => (b.count(totals) > a.count(totals) ? b : a));
  return { all, summarised };
}

/**
 * Returns the number of evaluations without a variant: the flag was off and has no off variant, or
 * the SDK does not count variants.
 */
const countWithoutVariant = (counts: Counts): number => {
  const served = Object.values(counts.variants ?? {}).reduce((sum, count) => sum + count, 0);
  return Math.max(0, evaluations(counts) - served);
};
