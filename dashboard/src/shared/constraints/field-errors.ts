import { fieldErrorsOf } from "../api/field-errors.ts";

/** The server's field errors of `constraints`, by path within the list, for ConstraintsEditor. */
export const constraintFieldErrors = (error: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldErrorsOf(error)).flatMap(([field, words]) => {
      const [, path] = /^constraints(?:\.|$)(.*)$/.exec(field) ?? [];
      return path === undefined ? [] : [[path, words]];
    }),
  );
