import { fieldErrorsOf } from "../api/field-errors.ts";

/** What the server refuses about `constraints`, by the path below the list, for the editor. */
export const constraintFieldErrors = (error: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldErrorsOf(error)).flatMap(([field, words]) => {
      const [, path] = /^constraints(?:\.|$)(.*)$/.exec(field) ?? [];
      return path === undefined ? [] : [[path, words]];
    }),
  );
