import { useState } from "react";
import type { Flag } from "../api/types.ts";

/**
 * A hook that returns the flag on which the changes in a form are based: the newest version of the
 * flag in which the part that the form edits is as it was when the form opened. So a change of
 * another part is no conflict. `isOutdated` says that this part has changed since.
 */
export function useBaseFlag<F extends Flag>(flag: F, partOf: (flag: F) => unknown) {
  const [base, setBase] = useState(flag);
  const isOutdated = JSON.stringify(partOf(flag)) !== JSON.stringify(partOf(base));
  if (!isOutdated && flag.version !== base.version) setBase(flag);
  return { base, isOutdated };
}
