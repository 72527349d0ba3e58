import { useQuery } from "@tanstack/react-query";
import type { Environment, Flag } from "../../../shared/api/types.ts";
import { activeRampsQuery } from "../../../shared/schedule/queries.ts";

/** Returns the ramp of a flag in an environment that can go on. Undefined without one, or while it loads. */
export function useActiveRamp({ id }: Flag, environment: Environment) {
  const { data: ramps } = useQuery(activeRampsQuery(id));
  return ramps?.items.find((one) => one.environmentId === environment.id);
}
