import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import { decodeAttestationObject, isoBase64URL } from "@simplewebauthn/server/helpers";
import type { PasskeyRow } from "../../model/passkeys/queries.ts";
import { ALGORITHMS } from "./options.ts";
import type { RelyingParty } from "./relying-party.ts";
import type { AddResponse, SignInResponse } from "./schema.ts";

/** The greatest length of a credential id, bytes (Web Authentication, section 4). */
const MAX_CREDENTIAL_ID = 1023;

interface Expected {
  /** The challenge of the options, base64url. */
  readonly challenge: string;
  readonly relyingParty: RelyingParty;
}

const expectations = ({ challenge, relyingParty }: Expected) => ({
  expectedChallenge: challenge,
  expectedOrigin: relyingParty.origin,
  expectedRPID: relyingParty.id,
  requireUserVerification: true,
});

type NewCredential = Pick<
  PasskeyRow,
  "credentialId" | "publicKey" | "counter" | "backedUp" | "aaguid"
>;

/**
 * Verifies the response of an authenticator that has made a passkey (Web Authentication, section 7.1).
 * Throws an `Error` if it is not valid.
 */
export async function verifyNewPasskey(
  { id, type, response }: AddResponse,
  expected: Expected,
): Promise<NewCredential> {
  assertSelfAttested(response.attestationObject);
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    ...expectations(expected),
    response: { id, rawId: id, type, clientExtensionResults: {}, response },
    supportedAlgorithmIDs: [...ALGORITHMS],
  });
  if (!verified) throw new Error("The attestation is not valid");
  const { credential, credentialBackedUp: backedUp, aaguid } = registrationInfo;
  if (isoBase64URL.toBuffer(credential.id).length > MAX_CREDENTIAL_ID)
    throw new Error("The credential id is too long");
  const { id: credentialId, counter } = credential;
  const publicKey = isoBase64URL.fromBuffer(credential.publicKey);
  return { credentialId, publicKey, counter, backedUp, aaguid };
}

/**
 * Throws unless the authenticator attests nothing, or only that it has the private key. The service
 * asks for no attestation. For attestations with certificates, the library would load lists of revoked
 * certificates from URLs in them, which the caller chooses.
 */
function assertSelfAttested(attestationObject: string): void {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = attestation.get("fmt");
  const isSelf = format === "packed" && attestation.get("attStmt").get("x5c") === undefined;
  if (format !== "none" && !isSelf) throw new Error("The passkey has an attestation");
}

/**
 * Verifies the response of an authenticator that has used a passkey (Web Authentication, section 7.2),
 * except the counter. Returns what the authenticator says about the passkey. Throws an `Error` if the
 * response is not valid.
 */
export async function verifyUse(
  { id, type, response: { clientDataJSON, authenticatorData, signature } }: SignInResponse,
  { credentialId, publicKey }: PasskeyRow,
  expected: Expected,
): Promise<Pick<PasskeyRow, "counter" | "backedUp">> {
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    ...expectations(expected),
    response: {
      id,
      rawId: id,
      type,
      clientExtensionResults: {},
      response: { clientDataJSON, authenticatorData, signature },
    },
    // The caller compares the counter, because the library's error does not tell that it is the reason.
    credential: { id: credentialId, publicKey: isoBase64URL.toBuffer(publicKey), counter: 0 },
  });
  if (!verified) throw new Error("The signature is not valid");
  const { newCounter: counter, credentialBackedUp: backedUp } = authenticationInfo;
  return { counter, backedUp };
}
