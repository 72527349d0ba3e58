import type { Flag } from "../../shared/api/types.ts";
import { ItemHistory } from "../../shared/history/ItemHistory.tsx";

export function FlagHistory({ flag }: { flag: Flag }) {
  return <ItemHistory type="flag" item={flag} />;
}
