import { createInstance, type i18n as I18n } from "i18next";
import { initReactI18next } from "react-i18next";
import type { Messages } from "./en/index.ts";
import { type Language, storeLanguage } from "./language.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: Messages };
  }
}

/**
 * For each language, a function that loads its translations. They load when the language is first
 * used.
 */
const CATALOGUES: Readonly<Record<Language, () => Promise<{ messages: Messages }>>> = {
  en: () => import("./en/index.ts"),
  de: () => import("./de/index.ts"),
};

/** Creates the i18n instance and loads the translations of `language`. */
export async function createI18n(language: Language): Promise<I18n> {
  const i18n = createInstance();
  i18n.use(initReactI18next);
  await i18n.init({
    resources: {},
    lng: language,
    fallbackLng: false,
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  await switchLanguage(i18n, language);
  return i18n;
}

let requested: Language | undefined;

/**
 * Loads the translations of `language`, shows the page in this language, and stores the choice in
 * the browser. Does nothing if another language was requested while the translations loaded.
 */
export async function switchLanguage(i18n: I18n, language: Language): Promise<void> {
  requested = language;
  const { messages } = await CATALOGUES[language]();
  if (requested !== language) return;
  i18n.addResourceBundle(language, "translation", messages, true, true);
  await i18n.changeLanguage(language);
  document.documentElement.lang = language;
  storeLanguage(language);
}
