import type { Flag } from "../../shared/api/types.ts";

export function FlagLifecycle(_props: { flag: Flag }) {
  return null;
}
