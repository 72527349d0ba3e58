import { describe, expect, it } from "vitest";
import { newRefreshToken } from "../../../src/management/auth/refresh-token.ts";
import { outcome, tally } from "../support/outcomes.ts";
import { call } from "../support/client.ts";
import { signIn } from "../support/people.ts";
import { auditOf, wholeDatabase } from "../support/records.ts";
import { claimsOf, signedIn } from "../support/sessions.ts";

const refresh = (refreshToken: unknown) =>
  call("POST", "/api/v1/auth/refresh", { body: { refreshToken } });

describe("POST /auth/refresh", () => {
  it("returns the fields of a login, with a new refresh token of the same family", async () => {
    const session = await signIn();
    const answer = await refresh(session.refreshToken);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).toSorted()).toEqual(Object.keys(session).toSorted());
    expect(answer.body.accessToken).toBe(answer.body.token);
    expect(answer.body.refreshToken).not.toBe(session.refreshToken);
    expect(claimsOf(answer.body.token).sid).toBe(claimsOf(session.token).sid);
    expect((await call("GET", "/api/v1/auth/me", { token: answer.body.token })).status).toBe(200);
  });

  it("succeeds with each new refresh token", async () => {
    let { refreshToken } = await signedIn("VIEWER");
    for (let round = 0; round < 5; round++) {
      const answer = await refresh(refreshToken);
      expect(answer.status).toBe(200);
      refreshToken = answer.body.refreshToken;
    }
  });

  it("returns TOKEN_REUSE for a used refresh token, and revokes its whole family", async () => {
    const { refreshToken, id } = await signedIn("DEVELOPER");
    const second = (await refresh(refreshToken)).body.refreshToken;
    const reuse = await refresh(refreshToken);
    expect(outcome(reuse)).toBe("401 TOKEN_REUSE");
    expect(outcome(await refresh(second))).toBe("401 TOKEN_REUSE");
    expect(await auditOf(reuse)).toMatchObject([
      { action: "session.reuse", category: "security", entity_type: "user", entity_id: id },
    ]);
  });

  it("keeps the user's other sessions when one family is revoked", async () => {
    const [one, other] = [await signIn(), await signIn()];
    await refresh(one.refreshToken);
    expect(outcome(await refresh(one.refreshToken))).toBe("401 TOKEN_REUSE");
    expect(outcome(await refresh(other.refreshToken))).toBe("200");
  });

  it("returns 401 for refresh tokens that were never issued, and revokes no family", async () => {
    const { refreshToken, familyId } = await signedIn("VIEWER");
    const stranger = await signedIn("VIEWER");
    const forged = [
      (await newRefreshToken("A".repeat(22))).token,
      (await newRefreshToken(familyId)).token,
      `${familyId}.${stranger.refreshToken.split(".")[1]}`,
      `${familyId}.`,
      familyId,
      `${refreshToken}x`,
      refreshToken.toUpperCase(),
      "nonsense",
      "%00",
    ];
    const before = await wholeDatabase();
    for (const token of forged) expect(outcome(await refresh(token))).toBe("401 UNAUTHORIZED");
    expect(await wholeDatabase()).toEqual(before);
    expect(outcome(await refresh(refreshToken))).toBe("200");
    expect(outcome(await refresh(stranger.refreshToken))).toBe("200");
  });

  it.each([undefined, "", 5, null, "x".repeat(1025)])(
    "returns 400 for the refresh token %j",
    async (token) => {
      expect(outcome(await refresh(token))).toBe("400 VALIDATION_ERROR");
    },
  );

  it("succeeds for exactly one of 50 concurrent requests with the same refresh token, and revokes the family", async () => {
    const { refreshToken } = await signedIn("VIEWER");
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(refreshToken)));
    expect(tally(answers)).toEqual({ "200": 1, "401 TOKEN_REUSE": 49 });
    const winner = answers.find((answer) => answer.status === 200);
    expect(outcome(await refresh(winner?.body.refreshToken))).toBe("401 TOKEN_REUSE");
  });
});
