import { env } from "cloudflare:workers";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { sweep } from "../../../src/jobs/sweep.ts";
import { sha256 } from "../../../src/core/lib/digest.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import { approve, begin, decide, newDeviceLogin, poll } from "../support/device-logins.ts";
import { signedInWithPassword } from "../support/factors.ts";
import { outcome, tally } from "../support/outcomes.ts";
import { from, newAddress, sendSequentially, TOO_MANY } from "../support/rates.ts";
import { rows } from "../support/records.ts";

describe("open logins on devices", () => {
  it("are at most 50 for each network, until some expire", async () => {
    const headers = from(newAddress());
    const ask = () => begin({ body: {}, headers });
    expect(tally(await sendSequentially(51, ask))).toEqual({ "200": 50, [TOO_MANY]: 1 });
    expect((await begin({ body: {}, headers: from(newAddress()) })).status).toBe(200);
    await env.DB.prepare("UPDATE device_logins SET expires_at = 1 WHERE ip = ?")
      .bind(headers["CF-Connecting-IP"])
      .run();
    expect((await ask()).status).toBe(200);
  });

  describe("of all networks, of which 5,000 wait for a user,", () => {
    /** Inserts logins of 100 networks, as somebody with 100 addresses begins them. */
    const fill = (count = 5_000) =>
      env.DB.prepare(
        `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
          INSERT INTO device_logins
            (device_hash, user_code_hash, client_name, network, created_at, expires_at)
          SELECT 'many ' || n, 'many ' || n, 'many', 'stranger ' || (n % 100), 1, ? FROM number`,
      )
        .bind(count, Date.now() + 60_000)
        .run();
    const WAIT =
      "SELECT count(*) AS n FROM device_logins WHERE decision IS NULL AND decided_by IS NULL";

    beforeEach(async () => {
      await env.DB.prepare("DELETE FROM device_logins").run();
    });
    afterAll(async () => {
      await env.DB.prepare("DELETE FROM device_logins").run();
    });

    it("lose the oldest of the network with the most when a new login begins, and the logins of other networks get tokens", async () => {
      const earlier = await newDeviceLogin();
      await fill();
      const later = await newDeviceLogin();
      const { token } = await signedInWithPassword();
      for (const codes of [earlier, later]) {
        expect(outcome(await approve(token, codes))).toBe("200");
        expect((await poll(codes)).status).toBe(200);
      }
      expect(await rows(`${WAIT} AND network LIKE 'stranger %'`)).toEqual([{ n: 4_999 }]);
    });

    it("keep the one that a user has opened last", async () => {
      const [first, last] = [await newDeviceLogin(), await newDeviceLogin()];
      const { token } = await signedInWithPassword();
      for (const codes of [first, last])
        expect(outcome(await decide("lookup", token, codes))).toBe("200");
      await fill(4_999);
      // Now the network of the user has the most logins, and the oldest of them is the first.
      await env.DB.prepare("UPDATE device_logins SET network = 'n' || id").run();
      await newDeviceLogin();
      expect(outcome(await poll(first))).toBe("400 EXPIRED_TOKEN");
      expect(outcome(await decide("lookup", token, first))).toBe("404 NOT_FOUND");
      expect(outcome(await approve(token, last))).toBe("200");
      expect((await poll(last)).status).toBe(200);
    });

    it("count for their network after they were replaced, so that no network begins more than 50", async () => {
      const headers = from(newAddress());
      const own = await begin({ body: {}, headers });
      await fill(4_999);
      await env.DB.prepare(
        "UPDATE device_logins SET network = 'n' || id WHERE client_name = 'many'",
      ).run();
      const answers = await sendSequentially(50, () => begin({ body: {}, headers }));
      expect(tally(answers)).toEqual({ "200": 49, [TOO_MANY]: 1 });
      expect(outcome(await poll(own.body))).toBe("400 EXPIRED_TOKEN");
      expect(await rows(WAIT)).toEqual([{ n: 5_000 }]);
    });
  });

  it("are deleted by the hourly job after they have expired", async () => {
    const { deviceCode } = await newDeviceLogin();
    const count = async () =>
      (await rows("SELECT id FROM device_logins WHERE device_hash = ?", await sha256(deviceCode)))
        .length;
    await sweep(jobDeps(env));
    expect(await count()).toBe(1);
    await sweep({ ...jobDeps(env), now: () => Date.now() + 15 * 60_000 + 1 });
    expect(await count()).toBe(0);
  });
});
