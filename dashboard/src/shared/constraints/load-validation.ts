import type { validateConstraints } from "./validate-constraints.ts";

/**
 * Loads `validateConstraints`, whose code contains the evaluator's parser and is large. If it cannot
 * be loaded, returns a function that finds no errors: the server validates constraints too.
 */
export async function loadValidation(): Promise<typeof validateConstraints> {
  try {
    return (await import("./validate-constraints.ts")).validateConstraints;
  } catch {
    return () => ({});
  }
}
