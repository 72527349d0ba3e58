import type { TFunction } from "i18next";
import type { JsonSyntaxError } from "./parse-json.ts";

export function syntaxErrorText(t: TFunction, error: JsonSyntaxError): string {
  switch (error.kind) {
    case "place":
      return t("json.notJsonAt", { line: error.line, column: error.column });
    case "token":
      return t("json.notJsonToken", { token: error.token });
    case "end":
      return t("json.notJsonEnd");
    default:
      return t("json.notJson");
  }
}
