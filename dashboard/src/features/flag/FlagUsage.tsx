import type { Flag } from "../../shared/api/types.ts";

export function FlagUsage(_props: { flag: Flag }) {
  return null;
}
