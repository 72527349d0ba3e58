import type { Translate } from "../i18n/translate.ts";
import type { JsonSyntaxError } from "./parse-json.ts";

export function syntaxErrorText(t: Translate, error: JsonSyntaxError): string {
  switch (error.kind) {
    case "place":
      return t("json.notJsonAt", { line: error.line, column: error.column });
    case "token":
      return t("json.notJsonToken", { token: error.token });
    case "end":
      return t("json.notJsonEnd");
    case "rounded":
      return t("json.rounded", { number: error.number });
    default:
      return t("json.notJson");
  }
}
