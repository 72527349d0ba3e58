import { formatsOf } from "./formats.ts";
import { localeOf } from "./language.ts";
import { useTranslation } from "./use-translation.ts";

/**
 * Returns functions that format numbers, times (ISO 8601) and lists in the language of the page, as
 * usual in the region of the browser.
 */
export function useFormat() {
  const { language } = useTranslation();
  return formatsOf(language, localeOf(language));
}
