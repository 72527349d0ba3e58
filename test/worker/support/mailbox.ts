import { env } from "cloudflare:workers";
import { adminToken } from "./people.ts";
import type { CallOptions } from "./client.ts";
import { callWith } from "./wrapped.ts";

interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A mail binding that keeps what is sent; `works = false` makes it refuse. */
export class Mailbox {
  readonly letters: Letter[] = [];
  works = true;

  readonly binding = {
    send: async (letter: Letter) => {
      if (!this.works) throw new Error("the mail provider rests");
      this.letters.push(letter);
      return { messageId: crypto.randomUUID() };
    },
  } as unknown as SendEmail;

  call(method: string, path: string, options: CallOptions = {}) {
    return callWith({ MAIL: this.binding }, method, path, options);
  }

  /** The token of the link in the last letter to that address. */
  lastToken(to: string): string {
    const letter = this.letters.findLast((one) => one.to === to);
    const token = /#token=([\w-]+)/.exec(letter?.text ?? "")?.[1];
    if (token === undefined) throw new Error(`no letter with a link to ${to}`);
    return token;
  }
}

export const PASSWORD = "a good password";

/** Somebody who was invited and has joined, with a session. */
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
  const { token, refreshToken } = joined.body;
  return {
    id: invited.body.id as number,
    email,
    mailbox,
    token: token as string,
    refreshToken: refreshToken as string,
  };
}

/** The newest audit records of a user, as `action`. */
export async function auditOf(userId: number): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `SELECT action FROM audit WHERE entity_type = 'user' AND entity_id = ? ORDER BY id`,
  )
    .bind(userId)
    .all<{ action: string }>();
  return results.map((row) => row.action);
}
