import { formatsOf } from "./formats.ts";
import { localeOf } from "./language.ts";
import { useTranslation } from "./use-translation.ts";

/** In the language of the page, as usual in the region of the browser. */
export function useFormat() {
  const { language } = useTranslation();
  return formatsOf(language, localeOf(language));
}
