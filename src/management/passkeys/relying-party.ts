import { base64url } from "../../core/lib/digest.ts";
import type { Visitor } from "../../access/call.ts";
import { assertPublicUrl } from "../../mail/mails.ts";

/** For whom passkeys are made: browsers use a passkey only at pages of the domain `id`. */
export interface RelyingParty {
  readonly id: string;
  /** The origin of the dashboard, such as `https://flags.example.com`. */
  readonly origin: string;
}

/** Returns the relying party of `PUBLIC_URL`, or locally of the request. Throws: 503 if it is missing. */
export function relyingPartyOf(ctx: Pick<Visitor, "publicUrl">): RelyingParty {
  const { hostname, origin } = new URL(assertPublicUrl(ctx));
  return { id: hostname, origin };
}

/** Returns the id by which authenticators know a user, base64url. It reveals no personal data. */
export const userHandleOf = (userId: number): string =>
  base64url(new TextEncoder().encode(String(userId)));
