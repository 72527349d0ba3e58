import { createInstance, type i18n as I18n } from "i18next";
import { initReactI18next } from "react-i18next";
import { fetchTexts, type TextPart } from "./catalogues.ts";
import type { Messages } from "./en/index.ts";
import { type Language, languageOf, localeOf, storeLanguage } from "./language.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: Messages };
  }
}

const instance = createInstance();

/** The parts of the texts that this tab uses, with the promise of their first load. */
const used = new Map<TextPart, Promise<void>>();

/** Creates the i18n instance and loads these parts of the texts in `language`. */
export async function createI18n(language: Language, parts: readonly TextPart[]): Promise<I18n> {
  await instance.use(initReactI18next).init({
    resources: {},
    lng: language,
    fallbackLng: false,
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  // `{{count, number}}` in a text, as usual in the region of the browser.
  instance.services.formatter?.addCached("number", (lng, options) => {
    const format = new Intl.NumberFormat(localeOf(lng ?? language), options);
    return (value: number) => format.format(value);
  });
  for (const part of parts) used.set(part, Promise.resolve());
  await switchLanguage(instance, language);
  return instance;
}

/**
 * Loads a part of the texts in the language of the page. Returns the same promise every time, unless
 * the part did not load.
 */
export function loadTexts(part: TextPart): Promise<void> {
  const known = used.get(part);
  if (known) return known;
  const loading = add(part, languageOf(instance.language));
  used.set(part, loading);
  loading.catch(() => used.delete(part));
  return loading;
}

async function add(part: TextPart, language: Language): Promise<void> {
  const texts = await fetchTexts(part, language);
  instance.addResourceBundle(language, "translation", texts, true, true);
}

let requested: Language | undefined;

/**
 * Loads the translations of `language`, shows the page in this language, and stores the choice in
 * the browser. Does nothing if another language was requested while the translations loaded.
 */
export async function switchLanguage(i18n: I18n, language: Language): Promise<void> {
  requested = language;
  await Promise.all([...used.keys()].map((part) => add(part, language)));
  if (requested !== language) return;
  await i18n.changeLanguage(language);
  document.documentElement.lang = language;
  storeLanguage(language);
}
