import type { TextKey, Translate } from "../i18n/translate.ts";
import type { ItemChange } from "./field-change.ts";

/** Returns the name of a field within a sentence. */
export const fieldName = (t: Translate, field: string): string =>
  translated(t, `strategy.${field}.inSentence`) ??
  translated(t, `history.fields.${field}`) ??
  field;

/**
 * Returns the text of a translation key. Returns undefined for an unknown key, because the server
 * may write audit actions and fields for which the dashboard has no text.
 */
export function translated(t: Translate, key: string): string | undefined {
  const words = t(key as TextKey);
  return words === key ? undefined : words;
}

/**
 * Returns an item of a list as text. For an object with a `value`, such as a known value of a
 * context, returns this value. Returns a text unchanged and any other item as JSON.
 */
export function listItemText(item: unknown): string {
  if (typeof item === "object" && item !== null && "value" in item) return String(item.value);
  return typeof item === "string" ? item : JSON.stringify(item);
}

/**
 * Names an item of a list by its key, but an ordered rule by its name or, without a name, by its
 * place.
 */
export function itemName(t: Translate, field: string, item: ItemChange): string {
  if (field !== "rules") return item.key;
  const name = (item.after ?? item.before)?.["name"];
  return typeof name === "string"
    ? t("history.rule.named", { name })
    : t("history.rule.nth", { number: item.placeAfter ?? item.placeBefore });
}
