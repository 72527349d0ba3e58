import type { Flag } from "../../shared/api/types.ts";
import { ItemHistory } from "../../shared/history/ItemHistory.tsx";

/** The latest changes of a flag and of its strategies. */
export function FlagHistory({ flag }: { flag: Flag }) {
  return <ItemHistory type="flag" item={flag} />;
}
