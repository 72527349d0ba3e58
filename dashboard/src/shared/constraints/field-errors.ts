import { fieldErrorsOf } from "../api/field-errors.ts";

/**
 * Returns the server's field errors of `constraints` as ConstraintsEditor needs them: messages by
 * path within the list.
 */
export const constraintFieldErrors = (error: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldErrorsOf(error)).flatMap(([field, words]) => {
      const [, path] = /^constraints(?:\.|$)(.*)$/.exec(field) ?? [];
      return path === undefined ? [] : [[path, words]];
    }),
  );
