import { useTranslation } from "react-i18next";
import { formatsOf } from "./formats.ts";

/**
 * Returns functions that format numbers, times (ISO 8601) and lists in the language of the page.
 */
export function useFormat() {
  const { i18n } = useTranslation();
  return formatsOf(i18n.language);
}
