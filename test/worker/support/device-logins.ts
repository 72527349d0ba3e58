import { call, type CallOptions } from "./client.ts";
import { PASSWORD } from "./mailbox.ts";

const DEVICE = "/api/v1/auth/device";

/** The codes of a login on a device. */
export interface Codes {
  readonly deviceCode: string;
  readonly userCode: string;
}

/** Begins a login on a device. Returns its codes. */
export async function newDeviceLogin(clientName = "build-7"): Promise<Codes> {
  const answer = await begin({ body: { clientName } });
  if (answer.status !== 200) throw new Error(`begin: ${answer.status}`);
  return answer.body;
}

export const begin = (options: CallOptions) => call("POST", DEVICE, options);

export const poll = ({ deviceCode }: Pick<Codes, "deviceCode">) =>
  call("POST", `${DEVICE}/token`, { body: { deviceCode } });

/** Sends a user code of a signed-in user. */
export const decide = (what: "lookup" | "approve" | "deny", token: string, body: object) =>
  call("POST", `${DEVICE}/${what}`, { token, body });

export const approve = (token: string, body: object) =>
  decide("approve", token, { currentPassword: PASSWORD, ...body });
