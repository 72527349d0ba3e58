import { describe, expect, it, vi } from "vitest";
import { Authenticator, type Tricks } from "../support/authenticator.ts";
import { call } from "../support/client.ts";
import { codeOf, enrolled, signedInWithPassword } from "../support/factors.ts";
import { Mailbox, newMember, PASSWORD } from "../support/mailbox.ts";
import { asAdmin, invalidFields, outcome, tally } from "../support/outcomes.ts";
import { added, addOptions, newPasskey, sendPasskey } from "../support/passkeys.ts";
import { person } from "../support/people.ts";
import { actionsAbout, auditOf, rows } from "../support/records.ts";

const PATH = "/api/v1/auth/passkeys";
const list = async (token: string) => (await call("GET", PATH, { token })).body;
const remove = (token: string, id: number, body: object = { currentPassword: PASSWORD }) =>
  call("DELETE", `${PATH}/${id}`, { token, body });

/** An attestation without certificates, which the authenticator signs with the key of the passkey. */
const selfAttested = async (
  authenticator: Authenticator,
  signed: Uint8Array<ArrayBuffer>,
): Promise<[string, Map<string, number | Uint8Array>]> => {
  const sig = await authenticator.sign(signed);
  return [
    "packed",
    new Map<string, number | Uint8Array>([
      ["alg", -7],
      ["sig", sig],
    ]),
  ];
};

describe("adding a passkey", () => {
  it("stores its public key, lists it, writes an audit record and sends an e-mail", async () => {
    const { id, token, email } = await newMember();
    const mailbox = new Mailbox();
    const authenticator = await Authenticator.make();
    const options = await addOptions(token);
    expect(options.body).toMatchObject({
      rp: { id: "flags.test" },
      user: { name: email },
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: [],
    });
    const response = await authenticator.create(options.body);
    const body = { name: "Laptop", response };
    const answer = await mailbox.call("POST", PATH, { token, body });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      name: "Laptop",
      transports: ["internal"],
      backedUp: false,
      lastUsedAt: null,
    });
    expect(await list(token)).toEqual([answer.body]);
    expect(await actionsAbout(id)).toEqual(
      expect.arrayContaining(["passkey.begun", "passkey.added"]),
    );
    expect(mailbox.mails.map(({ to, subject }) => [to, subject])).toEqual([
      [email, "A passkey was added to your account"],
    ]);
    const again = await addOptions(token);
    expect(again.body.excludeCredentials).toEqual([
      { id: response.id, type: "public-key", transports: ["internal"] },
    ]);
  });

  it("needs the current password", async () => {
    const { token } = await signedInWithPassword();
    const wrong = await addOptions(token, { currentPassword: "not the password" });
    const missing = await addOptions(token, {});
    expect([invalidFields(wrong), invalidFields(missing)]).toEqual([
      ["currentPassword"],
      ["currentPassword"],
    ]);
  });

  it("accepts a passkey whose authenticator signs its attestation itself", async () => {
    const { token } = await signedInWithPassword();
    const authenticator = await Authenticator.make();
    const attestation: Tricks["attestation"] = (signed) => selfAttested(authenticator, signed);
    expect((await added(token, authenticator, { attestation })).status).toBe(201);
  });

  const other = new Uint8Array(64).fill(7);
  const TRICKS: Readonly<Record<string, Tricks>> = {
    "from another origin": { origin: "https://flags.test.evil.example" },
    "from a page in a frame of another site": { crossOrigin: true },
    "for another domain": { rpId: "evil.example" },
    "with an invented challenge": { challenge: "aW52ZW50ZWQgY2hhbGxlbmdl" },
    "of a sign-in": { type: "webauthn.get" },
    "without the verification of the person": { userVerified: false },
    "with a credential id above 1,023 bytes": { credentialId: new Uint8Array(1024).fill(1) },
    "with a statement in an attestation of the format none": {
      attestation: () => Promise.resolve(["none", new Map([["sig", other]])]),
    },
    "with an attestation that another authenticator has signed": {
      attestation: async (signed) => selfAttested(await Authenticator.make(), signed),
    },
    "with an attestation that has certificates": {
      attestation: () =>
        Promise.resolve([
          "packed",
          new Map<string, number | Uint8Array | readonly Uint8Array[]>([
            ["alg", -7],
            ["sig", other],
            ["x5c", [other]],
          ]),
        ]),
    },
    "with an attestation of another format": {
      attestation: () => Promise.resolve(["tpm", new Map([["sig", other]])]),
    },
  };
  it.each(Object.entries(TRICKS))("refuses a response %s", async (_, tricks) => {
    const { token } = await signedInWithPassword();
    const answer = await added(token, await Authenticator.make(), tricks);
    expect([outcome(answer), await list(token)]).toEqual(["400 VALIDATION_ERROR", []]);
  });

  it("refuses texts that are not base64url or too long", async () => {
    const { token } = await signedInWithPassword();
    const { body: options } = await addOptions(token);
    const response = await (await Authenticator.make()).create(options);
    const withField = (field: object) =>
      sendPasskey(token, { ...response, response: { ...response.response, ...field } });
    const answers = [
      await withField({ attestationObject: "a".repeat(16_385) }),
      await withField({ clientDataJSON: "a".repeat(8193) }),
      await withField({ clientDataJSON: "{}" }),
      await sendPasskey(token, { ...response, id: "a".repeat(1365) }),
      await sendPasskey(token, response, "n".repeat(201)),
    ];
    expect(answers.map((answer) => invalidFields(answer))).toEqual([
      ["response.response.attestationObject"],
      ["response.response.clientDataJSON"],
      ["response.response.clientDataJSON"],
      ["response.id"],
      ["name"],
    ]);
  });

  it("works once for each challenge, only in the session that asked, and for five minutes", async () => {
    const { token } = await signedInWithPassword();
    const stranger = await signedInWithPassword();
    const authenticator = await Authenticator.make();
    const { body: options } = await addOptions(token);
    const response = await authenticator.create(options);
    expect(outcome(await sendPasskey(stranger.token, response))).toBe("400 VALIDATION_ERROR");
    expect(outcome(await sendPasskey(token, response))).toBe("201");
    const second = await (await Authenticator.make()).create(options);
    expect(outcome(await sendPasskey(token, second))).toBe("400 VALIDATION_ERROR");
    const late = await addOptions(token);
    const lateResponse = await (await Authenticator.make()).create(late.body);
    vi.setSystemTime(Date.now() + 301_000);
    expect(outcome(await sendPasskey(token, lateResponse))).toBe("400 VALIDATION_ERROR");
    vi.useRealTimers();
  });

  it("returns 409 for a credential id that another user has registered", async () => {
    const owner = await signedInWithPassword();
    const { authenticator } = await newPasskey(owner.token);
    const thief = await signedInWithPassword();
    const answer = await added(thief.token, await Authenticator.make(), {
      credentialId: authenticator.credentialId,
    });
    expect([outcome(answer), await list(thief.token)]).toEqual(["409 CONFLICT", []]);
  });

  it("returns 402 for the 21st passkey, also when two are added at the same time", async () => {
    const { id, token } = await signedInWithPassword();
    await rows(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 19)
       INSERT INTO passkeys (user_id, credential_id, public_key, counter, transports, name,
         backed_up, aaguid, created_at)
       SELECT ?1, 'credential ' || i || ' of ' || ?1, 'key', 0, '[]', 'Key', 0, 'none', 1 FROM n`,
      id,
    );
    const responses = await Promise.all(
      [1, 2].map(async () => {
        const { body } = await addOptions(token);
        return (await Authenticator.make()).create(body);
      }),
    );
    const answers = await Promise.all(responses.map((one) => sendPasskey(token, one)));
    expect(tally(answers)).toEqual({ "201": 1, "402 QUOTA_EXCEEDED": 1 });
    expect(outcome(await addOptions(token))).toBe("402 QUOTA_EXCEEDED");
  });

  it("is possible after the deadline for a second factor, which a passkey then fulfils", async () => {
    const { token } = await signedInWithPassword();
    const flags = () => call("GET", "/api/v1/flags", { token });
    await asAdmin("PUT", "/api/v1/settings", { requireMfa: true });
    await rows("UPDATE settings SET require_mfa_since = 1");
    try {
      expect(outcome(await flags())).toBe("403 FORBIDDEN");
      await newPasskey(token);
      expect(outcome(await flags())).toBe("200");
      const status = await call("GET", "/api/v1/auth/mfa", { token });
      expect(status.body).toMatchObject({ enabled: false, mfaEnrollmentDeadline: null });
    } finally {
      await rows("UPDATE settings SET require_mfa = 0, require_mfa_since = NULL");
    }
  });
});

describe("the passkeys of a user", () => {
  it("can be renamed and removed only by their owner", async () => {
    const { token } = await signedInWithPassword();
    const { id } = await newPasskey(token);
    const stranger = await signedInWithPassword();
    const rename = (who: string) =>
      call("PUT", `${PATH}/${id}`, { token: who, body: { name: "Phone" } });
    expect(outcome(await rename(stranger.token))).toBe("404 NOT_FOUND");
    expect(outcome(await remove(stranger.token, id))).toBe("404 NOT_FOUND");
    const renamed = await rename(token);
    expect((await auditOf(renamed)).map((one) => [one.action, one.before, one.after])).toEqual([
      ["passkey.renamed", { name: "Laptop" }, { name: "Phone" }],
    ]);
    expect((await list(token))[0].name).toBe("Phone");
    const wrong = await remove(token, id, { currentPassword: "not the password" });
    expect(invalidFields(wrong)).toEqual(["currentPassword"]);
    const removed = await remove(token, id);
    expect([removed.status, await list(token)]).toEqual([204, []]);
    expect((await auditOf(removed)).map(({ action }) => action)).toEqual(["passkey.removed"]);
  });

  it("are removed, together with the authenticator app, when an administrator resets the factors", async () => {
    const { id, token, secret } = await enrolled();
    await call("POST", "/api/v1/auth/mfa/activate", { token, body: { code: codeOf(secret) } });
    await newPasskey(token);
    expect((await asAdmin("DELETE", `/api/v1/users/${id}/mfa`)).status).toBe(204);
    expect(await rows("SELECT id FROM passkeys WHERE user_id = ?", id)).toEqual([]);
    expect(outcome(await call("GET", PATH, { token }))).toBe("401 UNAUTHORIZED");
    expect(outcome(await asAdmin("DELETE", `/api/v1/users/${id}/mfa`))).toBe("404 NOT_FOUND");
  });

  it("are a second factor, which an administrator can reset without an authenticator app", async () => {
    const { id, token } = await signedInWithPassword();
    await newPasskey(token);
    expect((await asAdmin("DELETE", `/api/v1/users/${id}/mfa`)).status).toBe(204);
  });

  it("are deleted with the user", async () => {
    const { id, token } = await signedInWithPassword();
    await newPasskey(token);
    expect((await asAdmin("DELETE", `/api/v1/users/${id}`)).status).toBe(204);
    expect(await rows("SELECT id FROM passkeys WHERE user_id = ?", id)).toEqual([]);
  });

  it("are for people: a user without a password confirms at the identity provider", async () => {
    const { token, sessionId } = await person("VIEWER");
    expect(outcome(await addOptions(token, {}))).toBe("400 VALIDATION_ERROR");
    await rows("UPDATE sessions SET confirmed_at = ? WHERE id = ?", Date.now(), sessionId);
    expect(outcome(await addOptions(token, {}))).toBe("200");
  });
});
