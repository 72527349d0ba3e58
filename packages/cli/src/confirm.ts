import { Failure } from "./failure.ts";
import type { Terminal } from "./terminal.ts";
import type { Environment } from "./types.ts";

/**
 * Asks for the names of the production environments among the given ones. Throws: a Failure without the
 * right answer, and when nobody can answer.
 */
export async function confirmProduction(
  terminal: Terminal,
  environments: readonly Environment[],
  isConfirmed: boolean,
): Promise<void> {
  const names = environments.filter(({ production }) => production).map(({ name }) => name);
  if (names.length === 0 || isConfirmed) return;
  const expected = names.join(", ");
  const remedy = `Add --yes to change ${expected} without a question.`;
  const answer = await terminal.ask(`Type ${expected} to change it: `, remedy);
  if (answer !== expected) throw new Failure("error", "Nothing was changed", { remedy });
}
