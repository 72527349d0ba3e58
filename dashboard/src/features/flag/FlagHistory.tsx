import type { Flag } from "../../shared/api/types.ts";

export function FlagHistory(_props: { flag: Flag }) {
  return null;
}
