import { useEffect, useRef, useState } from "react";
import type { Environment } from "../../shared/api/types.ts";

/**
 * A hook that returns the time at which this page last noticed new rules, in epoch milliseconds by
 * environment id. The hook also notices changes by other users, once the page has refetched the
 * environments.
 */
export function useRulesChangedAt(
  environments: readonly Environment[],
): ReadonlyMap<number, number> {
  const [changedAt, setChangedAt] = useState<ReadonlyMap<number, number>>(new Map());
  const known = useRef(new Map<number, number>());
  useEffect(() => {
    for (const { id, revision } of environments) {
      const before = known.current.get(id);
      known.current.set(id, revision);
      if (before !== undefined && revision > before)
        setChangedAt((previous) => new Map(previous).set(id, Date.now()));
    }
  }, [environments]);
  return changedAt;
}
