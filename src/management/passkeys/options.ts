import { CHALLENGE_MS } from "./challenge.ts";
import type { PasskeyRow } from "../../model/passkeys/queries.ts";
import { type RelyingParty, userHandleOf } from "./relying-party.ts";
import { isTransport, type Transport } from "./schema.ts";

/** The COSE ids of the accepted signature algorithms: ES256, EdDSA and RS256, best first. */
export const ALGORITHMS = [-7, -8, -257] as const;

interface Request {
  readonly challenge: string;
  readonly relyingParty: RelyingParty;
  readonly passkeys: readonly PasskeyRow[];
}

const PUBLIC_KEY = "public-key" as const;

const descriptorOf = ({ credentialId, transports }: PasskeyRow) => ({
  id: credentialId,
  type: PUBLIC_KEY,
  transports: transports.filter((one): one is Transport => isTransport(one)),
});

/**
 * Returns what the browser passes to `navigator.credentials.create`. The passkey must be discoverable,
 * so that its owner signs in without an e-mail address, and the authenticator must verify the person,
 * so that the passkey is two factors.
 */
export const addOptions = (
  { challenge, relyingParty, passkeys }: Request,
  user: { readonly id: number; readonly email: string; readonly name: string },
) => ({
  challenge,
  rp: { id: relyingParty.id, name: "Feature Flags" },
  user: { id: userHandleOf(user.id), name: user.email, displayName: user.name },
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: PUBLIC_KEY, alg })),
  timeout: CHALLENGE_MS,
  attestation: "none" as const,
  excludeCredentials: passkeys.map(descriptorOf),
  authenticatorSelection: {
    residentKey: "required" as const,
    requireResidentKey: true,
    userVerification: "required" as const,
  },
});

/**
 * Returns what the browser passes to `navigator.credentials.get`. Without passkeys, the browser offers
 * all that it has for the domain.
 */
export const signInOptions = ({ challenge, relyingParty, passkeys }: Request) => ({
  challenge,
  rpId: relyingParty.id,
  timeout: CHALLENGE_MS,
  userVerification: "required" as const,
  allowCredentials: passkeys.map(descriptorOf),
});
