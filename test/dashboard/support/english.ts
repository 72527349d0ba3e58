import { messages } from "../../../dashboard/src/shared/i18n/en/index.ts";
import { formatsOf } from "../../../dashboard/src/shared/i18n/formats.ts";
import { createTranslation } from "../../../dashboard/src/shared/i18n/translate.ts";

const english = createTranslation("en", "en-GB");
english.add(messages);

/** The English texts of the dashboard. */
export const { t } = english;

/** The English formats of the dashboard. */
export const format = formatsOf("en-GB");
