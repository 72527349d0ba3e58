import { fieldErrorsOf } from "../../shared/api/field-errors.ts";
import { CONTENT_FIELDS, type ContentField } from "./strategy.ts";

/**
 * The error messages of one strategy field, by the path within this field, such as `0.values`. The
 * path "" stands for the strategy field itself.
 */
export type ErrorsByPath = Readonly<Record<string, string>>;

export type StrategyErrors = Readonly<Partial<Record<ContentField, ErrorsByPath>>>;

/**
 * Returns the field errors of an API error, grouped by strategy field. Empty if the error has no
 * field errors for the strategy.
 */
export function strategyErrors(error: unknown): StrategyErrors {
  const errors = Object.entries(fieldErrorsOf(error));
  const found: Partial<Record<ContentField, ErrorsByPath>> = {};
  for (const field of CONTENT_FIELDS) {
    const own = errors.flatMap(([path, message]) => {
      if (path === field) return [["", message]];
      return path.startsWith(`${field}.`) ? [[path.slice(field.length + 1), message]] : [];
    });
    if (own.length > 0) found[field] = Object.fromEntries(own);
  }
  return found;
}
