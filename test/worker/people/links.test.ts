import { describe, expect, it } from "vitest";
import { callWith } from "../support/call-with.ts";
import { Mailbox, newMember } from "../support/mailbox.ts";
import { newLink } from "../support/links.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { adminTokenAt } from "../support/people.ts";

const address = () => `guest-${crypto.randomUUID()}@example.com`;

async function callAt(PUBLIC_URL: string, mailbox: Mailbox, path: string, body?: object) {
  const replaced = { PUBLIC_URL, MAIL: mailbox.binding } as Partial<Env>;
  const token = await adminTokenAt(PUBLIC_URL);
  return callWith(replaced, "POST", `/api/v1${path}`, { token, body });
}

describe("the link of an e-mail", () => {
  it("uses PUBLIC_URL, not the host of the request", async () => {
    const mailbox = new Mailbox();
    const at = "https://dashboard.example.com";
    const email = address();
    const { email: known } = await newMember();
    await callAt(at, mailbox, "/users/invite", { email, role: "VIEWER" });
    await callAt(at, mailbox, "/auth/forgot-password", { email: known });
    expect(mailbox.mails.map(({ to }) => to)).toEqual([email, known]);
    for (const { text, html } of mailbox.mails) {
      expect(text).toContain(`${at}/`);
      expect(text + html).not.toContain("flags.test");
    }
  });

  it("is never made from the host of the request: without PUBLIC_URL, nothing is sent or stored, and the answer is 503", async () => {
    const mailbox = new Mailbox();
    const email = address();
    const { id } = await newLink("INVITE");
    const { email: known } = await newMember();
    const requests: readonly [string, object?][] = [
      ["/users/invite", { email, role: "VIEWER" }],
      [`/users/${id}/invite`],
      ["/auth/forgot-password", { email: known }],
      ["/auth/forgot-password", { email: address() }],
    ];
    for (const [path, body] of requests) {
      const answer = await callAt("", mailbox, path, body);
      expect(outcome(answer)).toBe("503 SERVICE_UNAVAILABLE");
      expect(answer.body.error).toContain("PUBLIC_URL");
    }
    expect(mailbox.mails).toEqual([]);
    const { body } = await asAdmin<{ email: string }[]>("GET", "/api/v1/users");
    expect(body.map((user) => user.email)).not.toContain(email);
  });

  it.each(["http://flags.example.com", "flags.example.com"])(
    "is never plain http: with PUBLIC_URL %s, requests get a 503 that names the variable",
    async (url) => {
      const answer = await callAt(url, new Mailbox(), "/users/invite", {});
      expect(outcome(answer)).toBe("503 SERVICE_UNAVAILABLE");
      expect(answer.body.error).toContain("PUBLIC_URL must be an https URL");
    },
  );
});
