import { fieldFaults } from "../api/field-faults.ts";

/** What the server refuses about `constraints`, by the path below the list, for the editor. */
export const refusedConstraints = (error: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fieldFaults(error)).flatMap(([field, words]) => {
      const [, path] = /^constraints(?:\.|$)(.*)$/.exec(field) ?? [];
      return path === undefined ? [] : [[path, words]];
    }),
  );
