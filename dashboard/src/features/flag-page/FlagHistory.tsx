import type { Flag } from "../../shared/api/types.ts";
import { ItemHistory } from "../../shared/history/ItemHistory.tsx";
import { useOpenEnvironment } from "./use-open-environment.ts";

/** The changes of the flag, and of its strategy in the open environment. */
export function FlagHistory({ flag }: { flag: Flag }) {
  const open = useOpenEnvironment(flag);
  return <ItemHistory type="flag" item={flag} environment={open?.environment} />;
}
