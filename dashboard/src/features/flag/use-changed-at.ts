import { useEffect, useRef, useState } from "react";
import type { Environment } from "../../shared/api/types.ts";

/**
 * When each environment last got new rules while the page was open, in epoch milliseconds by its
 * id: whichever part of the page, or person, has changed them.
 */
export function useChangedAt(environments: readonly Environment[]): ReadonlyMap<number, number> {
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
