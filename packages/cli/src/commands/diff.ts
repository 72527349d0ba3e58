import { EXIT } from "../failure.ts";
import { CONFLICT_REMEDY, planText } from "../file/plan-text.ts";
import { planFile, type PlanOptions, showPlan } from "../file/plan.ts";
import type { Terminal } from "../terminal.ts";

/** Shows what an apply of a file would change. Returns 2 for changes, and 3 for conflicts. */
export async function run(
  terminal: Terminal,
  options: PlanOptions,
  location: string,
): Promise<number> {
  const planned = await planFile(terminal, options, location);
  const exit = showPlan(terminal, options, planned);
  terminal.result({ plan: planned.plan }, planText(planned.plan));
  if (exit === EXIT.conflict) terminal.message(CONFLICT_REMEDY);
  return exit;
}
