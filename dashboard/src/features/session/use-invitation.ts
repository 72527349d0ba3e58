import { useEffect, useState } from "react";
import type { Schemas } from "../../shared/api/types.ts";
import { readInvitation } from "./mail-link-requests.ts";

/**
 * Loads the invitation of a link. Undefined while it loads, and if it does not load: the form works
 * without it. Null for a link that does not work.
 */
export function useInvitation(token: string | null): Schemas["Invitation"] | null | undefined {
  const [invitation, setInvitation] = useState<Schemas["Invitation"] | null>();
  useEffect(() => {
    if (token !== null) readInvitation(token).then(setInvitation, () => undefined);
  }, [token]);
  return token === null ? null : invitation;
}
