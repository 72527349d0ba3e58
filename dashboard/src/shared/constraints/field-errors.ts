import { fieldErrorsOf } from "../api/field-errors.ts";

/**
 * Returns the field errors of `constraints` in an ApiError as ConstraintsEditor needs them:
 * messages by path within the list, such as `0.values`. The path of an error of the whole list is
 * empty.
 */
export const constraintFieldErrors = (error: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldErrorsOf(error)).flatMap(([field, words]) => {
      const [, path] = /^constraints(?:\.|$)(.*)$/.exec(field) ?? [];
      return path === undefined ? [] : [[path, words]];
    }),
  );
