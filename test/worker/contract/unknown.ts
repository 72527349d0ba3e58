import type { Known } from "./known.ts";

/** Ids that do not exist. */
export const UNKNOWN = 999_999_999;

const at = { environmentId: UNKNOWN, flagId: UNKNOWN, segmentId: UNKNOWN };
const credential = { id: "bm9uZQ", type: "public-key" };
const response = { clientDataJSON: "bm9uZQ", attestationObject: "bm9uZQ" };
const factor = { token: "", secret: "GEZDGNBVGY3TQOJQ", code: "123456" };

/** Ids of resources that do not exist, for the requests of `ROUTES`. */
export const unknownIds = {
  ...at,
  projectId: UNKNOWN,
  userId: UNKNOWN,
  approverId: UNKNOWN,
  serviceAccountId: UNKNOWN,
  otherFlagId: UNKNOWN - 1,
  unique: "unknown",
  copied: { flagId: UNKNOWN, fromEnvironmentId: UNKNOWN - 1 },
  reverted: { ...at, flagUpdate: UNKNOWN, strategyUpdate: UNKNOWN, segmentUpdate: UNKNOWN },
  requests: Object.fromEntries(
    ["outdated", "edited", "reviewed", "applied", "closed"].map((which) => [
      which,
      { id: UNKNOWN, hash: "" },
    ]),
  ),
  device: { read: "BBBB-BBBB", approved: "BBBB-BBBB", denied: "BBBB-BBBB" },
  oauth: { query: "client_id=unknown", revoked: {}, doomedId: UNKNOWN, doomedClientId: UNKNOWN },
  enrolled: factor,
  forgetful: factor,
  tired: factor,
  passkeys: { token: "", adder: "", added: { ...credential, response } },
} as unknown as Known;
