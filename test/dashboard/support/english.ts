import { createInstance } from "i18next";
import { messages } from "../../../dashboard/src/shared/i18n/en/index.ts";
import { formatsOf } from "../../../dashboard/src/shared/i18n/formats.ts";

const i18n = createInstance();
await i18n.init({
  lng: "en",
  resources: { en: { translation: messages } },
  interpolation: { escapeValue: false },
});

/** The English texts of the dashboard. */
export const { t } = i18n;

/** The English formats of the dashboard. */
export const format = formatsOf("en-GB");
