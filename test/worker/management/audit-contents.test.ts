import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../../src/core/lib/digest.ts";
import { asAdmin } from "../support/outcomes.ts";
import { inCountries, newFlag, newSegment, newWorld, setStrategy } from "../support/world.ts";

const LIMIT = 32 * 1024;

/** Returns long country names, of which 500 take about 100 KB. */
const countries = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => String(from + n).padStart(200, "c"));

/** Returns the newest audit record about a resource, as the API shows it. */
async function lastRecord(entityType: string, entityId: number) {
  const query = `entityType=${entityType}&entityId=${entityId}&size=1`;
  return (await asAdmin("GET", `/api/v1/audit?${query}`)).body.items[0];
}

/** Returns the number of bytes that the contents of all audit records take in the database. */
const storedBytes = async () =>
  (await env.DB.prepare(
    `SELECT coalesce(sum(length(CAST(before AS BLOB))), 0) +
      coalesce(sum(length(CAST(after AS BLOB))), 0) AS bytes FROM audit`,
  ).first<number>("bytes")) ?? 0;

describe("the content of an audit record", () => {
  it("counts the values that a long list has before and after the change", async () => {
    const { projectId, environmentId } = await newWorld();
    const { id } = await newFlag(projectId);
    const listing = (...values: string[]) => ({
      environmentId,
      constraints: [inCountries("de"), inCountries(...values)],
    });
    await setStrategy(id, listing(...countries(0, 500)));
    await setStrategy(id, listing("new", ...countries(0, 100), ...countries(101, 500)));
    const { before, after } = await lastRecord("flag", id);
    const one = { $unchanged: 1 };
    const removed = [{ $unchanged: 100 }, ...countries(100, 101), { $unchanged: 399 }];
    expect(before).toEqual({ constraints: [one, { ...inCountries(), values: removed }] });
    const added = ["new", { $unchanged: 499 }];
    expect(after).toEqual({ constraints: [one, { ...inCountries(), values: added }] });
  });

  it("has the size and the hash of a list that does not fit, when a segment is created and deleted", async () => {
    const values = countries(0, 500);
    const { id, name } = await newSegment((await newWorld()).projectId, [inCountries(...values)]);
    const text = JSON.stringify(values);
    const cut = { $cut: { bytes: text.length, items: 500, sha256: await sha256(text) } };
    const content = { name, description: null, constraints: [{ ...inCountries(), values: cut }] };
    expect((await lastRecord("segment", id)).after).toEqual(content);
    await asAdmin("DELETE", `/api/v1/segments/${id}`);
    expect(await lastRecord("segment", id)).toMatchObject({ before: content, after: null });
  });

  it("takes at most 32 KB for each change of a large strategy, and nothing without a change", async () => {
    const { projectId, environmentId } = await newWorld();
    const { id } = await newFlag(projectId);
    const [one, other] = [countries(0, 500), countries(500, 1000)].map((values) => ({
      environmentId,
      constraints: [inCountries(...values)],
    }));
    const before = await storedBytes();
    for (let n = 0; n < 3; n++) {
      await setStrategy(id, { ...one });
      await setStrategy(id, { ...other });
    }
    const written = (await storedBytes()) - before;
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThanOrEqual(6 * LIMIT);
    for (let n = 0; n < 20; n++) await setStrategy(id, { ...other });
    expect(await storedBytes()).toBe(before + written);
  });
});
