import type { Formats } from "../i18n/formats.ts";
import type { Translate } from "../i18n/translate.ts";
import type { FieldChange, ItemChange } from "./field-change.ts";
import { fieldName, itemName, listItemText } from "./names.ts";
import { onlyVariant, type ServedWeights, weightChanges } from "./served-weights.ts";

/** The functions that describe changes in the language of the page. */
export interface ChangeWords extends Pick<Formats, "list" | "exactPercent"> {
  readonly t: Translate;
  /** Returns the name of a segment. Undefined for a deleted one. */
  readonly segment: (id: number) => string | undefined;
}

/** The most changed weights that a sentence contains. */
const MAX_WEIGHTS = 4;

/** The most changed fields of one rule that a sentence contains. */
const MAX_FIELDS = 2;

/** Describes changes in a sentence, for example as `Roll-out changed from 10 % to 25 %`. */
export const changesText = (words: ChangeWords, changes: readonly FieldChange[]): string =>
  words.list(changes.map((change) => phrase(words, change)));

function phrase(words: ChangeWords, change: FieldChange): string {
  const { t, exactPercent } = words;
  const { field } = change;
  switch (change.kind) {
    case "list":
      return listPhrase(words, field, change.removed, change.added);
    case "items":
      return change.field === "rules"
        ? rulesPhrase(words, change.items)
        : itemsPhrase(words, change.field, change.items);
    case "serve":
      return servePhrase(words, change.before, change.after);
    default:
  }
  const { before, after } = change;
  if (field === "enabled") return t(after === true ? "history.switchedOn" : "history.switchedOff");
  if (field === "percentage" && typeof before === "number" && typeof after === "number")
    return t("history.percentage", {
      before: exactPercent(before / 100),
      after: exactPercent(after / 100),
    });
  if (field === "name" && typeof before === "string" && typeof after === "string")
    return t("history.renamed", { before, after });
  if (field === "stickiness" && typeof after === "string")
    return t("history.stickyBy", { field: after });
  if (field === "stickiness" && typeof before === "string")
    return t("history.notStickyBy", { field: before });
  return t("history.fieldChanged", { field: fieldName(t, field) });
}

/**
 * The list fields whose added and removed items appear in the text about an audit record, each with
 * the prefix of its translation keys. For other lists, the text says only that the field has
 * changed.
 */
const DESCRIBED_LISTS: Readonly<Record<string, "constraints" | "segments" | "tags">> = {
  constraints: "constraints",
  segmentIds: "segments",
  tags: "tags",
};

function listPhrase(
  { t, list, segment }: ChangeWords,
  field: string,
  removed: readonly unknown[],
  added: readonly unknown[],
): string {
  const kind = DESCRIBED_LISTS[field];
  if (!kind) return t("history.fieldChanged", { field: fieldName(t, field) });
  if (field === "constraints" && removed.length > 0 && added.length > 0)
    return t("history.constraintsChanged");
  const name = (item: unknown) =>
    (typeof item === "number" ? segment(item) : undefined) ?? listItemText(item);
  const of = (items: readonly unknown[]) => ({
    count: items.length,
    names: list(items.map(name)),
  });
  return list([
    ...(added.length > 0 ? [t(`history.${kind}Added`, of(added))] : []),
    ...(removed.length > 0 ? [t(`history.${kind}Removed`, of(removed))] : []),
  ]);
}

const isAdded = ({ placeBefore }: ItemChange): boolean => placeBefore === undefined;
const isRemoved = ({ placeAfter }: ItemChange): boolean => placeAfter === undefined;

function itemsPhrase(
  { t, list }: ChangeWords,
  field: "variants" | "prerequisites",
  items: readonly ItemChange[],
): string {
  const hasChange = (isIt: (change: FieldChange) => boolean) =>
    items.filter(({ changes }) => changes.some(isIt));
  const named = (some: readonly ItemChange[]) => ({
    count: some.length,
    names: list(some.map(({ key }) => key)),
  });
  const described = hasChange((change) => change.field === "description");
  const kinds = [
    ["Added", items.filter(isAdded)],
    ["Removed", items.filter(isRemoved)],
    ["Changed", hasChange((change) => change.field !== "description")],
  ] as const;
  const phrases = [
    ...kinds.flatMap(([kind, some]) =>
      some.length === 0 ? [] : [t(`history.${field}${kind}`, named(some))],
    ),
    ...(described.length === 0 ? [] : [t("history.descriptionsChanged", named(described))]),
  ];
  return phrases.length === 0
    ? t("history.orderChanged", { field: fieldName(t, field) })
    : list(phrases);
}

function rulesPhrase(words: ChangeWords, items: readonly ItemChange[]): string {
  const { t, list } = words;
  const changed = items.filter(({ changes }) => changes.length > 0);
  const [only, ...others] = changed;
  const isShort = only && others.length === 0 && only.changes.length <= MAX_FIELDS;
  const kinds = [
    ["added", items.filter(isAdded)],
    ["removed", items.filter(isRemoved)],
    ["moved", items.filter(({ isMoved }) => isMoved)],
    ["changed", isShort ? [] : changed],
  ] as const;
  const names = (some: readonly ItemChange[]) => list(some.map((one) => itemName(t, "rules", one)));
  const inRule = (one: ItemChange) =>
    t("history.rule.in", {
      rule: itemName(t, "rules", one),
      changes: changesText(words, one.changes),
    });
  return list([
    ...kinds.flatMap(([kind, some]) =>
      some.length === 0 ? [] : [t(`history.rule.${kind}`, { names: names(some) })],
    ),
    ...(isShort ? [inRule(only)] : []),
  ]);
}

function servePhrase(
  { t, list, exactPercent }: ChangeWords,
  before: ServedWeights = new Map(),
  after: ServedWeights = new Map(),
): string {
  const [old, current] = [onlyVariant(before), onlyVariant(after)];
  if (current !== undefined && (old !== undefined || before.size === 0))
    return t("history.nowServes", { variant: current });
  const changed = weightChanges(before, after);
  if (changed.length > MAX_WEIGHTS) return t("history.weightsChanged");
  const weights = changed.map(({ variant, ...weight }) =>
    t("history.weight", {
      variant,
      before: exactPercent(weight.before / 100),
      after: exactPercent(weight.after / 100),
    }),
  );
  return t("history.weightsFromTo", { weights: list(weights) });
}
