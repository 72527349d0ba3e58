import { useTranslation } from "react-i18next";
import { formatsOf } from "./formats.ts";
import { localeOf } from "./language.ts";

/**
 * Returns functions that format numbers, times (ISO 8601) and lists in the language of the page, as
 * usual in the region of the browser.
 */
export function useFormat() {
  const { i18n } = useTranslation();
  return formatsOf(i18n.language, localeOf(i18n.language));
}
