import { adminToken } from "./people.ts";
import type { CallOptions } from "./client.ts";
import { callWith } from "./call-with.ts";

interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A mail binding that keeps e-mails instead of sending them; `send` throws if `works` is false. */
export class Mailbox {
  readonly mails: Mail[] = [];
  works = true;

  readonly binding = {
    send: async (mail: Mail) => {
      if (!this.works) throw new Error("the mail provider is unavailable");
      this.mails.push(mail);
      return { messageId: crypto.randomUUID() };
    },
  } as unknown as SendEmail;

  call(method: string, path: string, options: CallOptions = {}) {
    return callWith({ MAIL: this.binding }, method, path, options);
  }

  /** The token of the link in the last e-mail to the address. */
  lastToken(to: string): string {
    const mail = this.mails.findLast((one) => one.to === to);
    const token = /#token=([\w-]+)/.exec(mail?.text ?? "")?.[1];
    if (token === undefined) throw new Error(`no e-mail with a link to ${to}`);
    return token;
  }
}

export const PASSWORD = "a good password";

/** Creates a user who accepts an invitation. Returns the user with the tokens of a session. */
export async function newMember(role: "ADMIN" | "DEVELOPER" | "VIEWER" = "DEVELOPER") {
  const mailbox = new Mailbox();
  const email = `member-${crypto.randomUUID()}@example.com`;
  const invited = await mailbox.call("POST", "/api/v1/users/invite", {
    token: await adminToken(),
    body: { email, role },
  });
  const body = { token: mailbox.lastToken(email), name: "Member", password: PASSWORD };
  const joined = await mailbox.call("POST", "/api/v1/auth/accept-invite", { body });
  if (joined.status !== 200) throw new Error(`accept-invite: ${joined.status}`);
  const { token, refreshToken, deviceToken } = joined.body;
  return {
    id: invited.body.id as number,
    email,
    mailbox,
    token: token as string,
    refreshToken: refreshToken as string,
    deviceToken: deviceToken as string,
  };
}
