import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HOUR_MS } from "../../../src/core/lib/time.ts";
import { callWith } from "../support/call-with.ts";
import { pretendedHashers } from "../support/hashers.ts";
import { WRONG } from "../support/locks.ts";
import { PASSWORD } from "../support/mailbox.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { from, SmallRate, TOO_MANY } from "../support/rates.ts";
import { auditOfEntity, rows } from "../support/records.ts";
import { member } from "../support/sessions.ts";

const { PASSWORD_HASHERS } = pretendedHashers(0);
const ACTION = "session.refused-unknown";

beforeEach(() => {
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  vi.useFakeTimers({ toFake: ["Date"], now: hour + HOUR_MS / 2 });
});
afterEach(async () => {
  vi.useRealTimers();
  await env.DB.prepare("DELETE FROM audit WHERE action = ?").bind(ACTION).run();
});

/** Sends a wrong password. Returns the outcome. */
async function refused(
  address: string,
  email = `${crypto.randomUUID()}@example.com`,
  FAILURE_RATE = new SmallRate(1_000),
) {
  const options = { body: { email, password: "wrong" }, headers: from(address) };
  const replaced = { PASSWORD_HASHERS, FAILURE_RATE };
  return outcome(await callWith(replaced, "POST", "/api/v1/auth/login", options));
}

/** The count of each network in each audit record about addresses that no user has. */
async function counts() {
  const sql = "SELECT ip, after ->> '$.count' AS n FROM audit WHERE action = ? ORDER BY at, id";
  return (await rows(sql, ACTION)).map(({ ip, n }) => [ip, n]);
}

describe("refused logins with e-mail addresses that no user has", () => {
  it("are counted in one audit record for each hour and network", async () => {
    for (let n = 0; n < 12; n++) expect(await refused("192.0.2.1")).toBe(WRONG);
    await refused("192.0.2.2");
    for (const last of [":1", "2:3:4:5", "ffff:ffff:ffff:ffff"])
      await refused(`2001:db8:0:7:${last}`);
    expect(await counts()).toEqual([
      ["192.0.2.1", 12],
      ["192.0.2.2", 1],
      ["2001:db8:0:7::/64", 3],
    ]);
    vi.setSystemTime(Date.now() + HOUR_MS);
    await refused("192.0.2.1");
    expect((await counts()).at(-1)).toEqual(["192.0.2.1", 1]);
  });

  it("are shown to an administrator, with the start of the hour and the count", async () => {
    for (let n = 0; n < 3; n++) await refused("192.0.2.1");
    const path = `/api/v1/audit?category=security&action=${ACTION}`;
    const { body } = await asAdmin("GET", path);
    expect(body.items).toMatchObject([
      {
        at: new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS).toISOString(),
        entityType: "user",
        entityId: null,
        ip: "192.0.2.1",
        after: { count: 3 },
      },
    ]);
  });

  it("are counted exactly when they are simultaneous", async () => {
    await Promise.all(Array.from({ length: 4 }, () => refused("192.0.2.1")));
    expect(await counts()).toEqual([["192.0.2.1", 4]]);
  });

  it("of more than 100 networks in an hour are counted in one record for the other networks", async () => {
    for (let n = 0; n < 103; n++) await refused(`203.0.113.${n}`);
    await refused("203.0.113.0");
    const all = await counts();
    expect(all).toHaveLength(101);
    expect([all[0], all.at(-1)]).toEqual([
      ["203.0.113.0", 2],
      ["other networks", 3],
    ]);
  });

  it("of requests without an address are counted together", async () => {
    const body = { email: "nobody@example.com", password: "wrong" };
    for (let n = 0; n < 2; n++)
      await callWith({ PASSWORD_HASHERS }, "POST", "/api/v1/auth/login", { body });
    expect(await counts()).toEqual([["unknown network", 2]]);
  });
});

describe("refused logins with the e-mail address of a user", () => {
  it("have an audit record each, with the address of the caller", async () => {
    const { id, email } = await member("VIEWER", PASSWORD);
    for (let n = 0; n < 2; n++) await refused("192.0.2.1", email);
    expect(await auditOfEntity("user", id)).toMatchObject(
      Array.from({ length: 2 }, () => ({ action: "session.refused", ip: "192.0.2.1" })),
    );
    expect(await counts()).toEqual([]);
  });
});

describe("an IPv6 /48 network", () => {
  it("gets 429 after ten times as many failed logins as one /64 may have", async () => {
    const rate = new SmallRate(2);
    const outcomes: string[] = [];
    for (let n = 0; n < 31; n++)
      outcomes.push(await refused(`2001:db8:f00d:${n.toString(16)}::1`, undefined, rate));
    expect(outcomes).toEqual([...Array<string>(30).fill(WRONG), TOO_MANY]);
    expect(await refused("2001:db8:f00e:1::1", undefined, rate)).toBe(WRONG);
  });
});
