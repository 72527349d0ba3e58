import { describe, expect, it } from "vitest";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { newEnvironment, newFlag, newProject, setStrategy } from "../support/world.ts";

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A request body that is sent in two pieces. The second is sent when `release` is called. */
function twoPieceBody(text: string) {
  const bytes = new TextEncoder().encode(text);
  const half = Math.floor(bytes.length / 2);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(bytes.slice(0, half));
      await released;
      controller.enqueue(bytes.slice(half));
      controller.close();
    },
  });
  return { body, release };
}

/**
 * The slow edit `a` sends the first half of its body. Then the edit `b` runs completely. Then `a`
 * sends the rest of its body.
 */
async function editDuringSlowEdit(path: string, ifMatch: string | undefined, a: object, b: object) {
  const { body, release } = twoPieceBody(JSON.stringify(a));
  const slow = asAdmin("PUT", path, body, ifMatch === undefined ? {} : { "If-Match": ifMatch });
  await wait(30);
  const fast = await asAdmin("PUT", path, b);
  await wait(30);
  release();
  return { slow: await slow, fast };
}

describe("an edit whose body arrives slowly", () => {
  it("returns 412 with If-Match when a second edit of the flag ran meanwhile", async () => {
    const { id } = await newFlag((await newProject()).id);
    const path = `/api/v1/flags/${id}`;
    const { slow, fast } = await editDuringSlowEdit(path, '"1"', { name: "A" }, { name: "B" });
    expect([outcome(slow), outcome(fast)]).toEqual(["412 CONFLICT", "200"]);
    expect((await asAdmin("GET", path)).body).toMatchObject({ name: "B", version: 2 });
  });

  it("is applied last without If-Match, and keeps the fields that only the second edit changed", async () => {
    const { id } = await newFlag((await newProject()).id);
    const path = `/api/v1/flags/${id}`;
    const b = { name: "B", description: "of B" };
    const { slow, fast } = await editDuringSlowEdit(path, undefined, { name: "A" }, b);
    expect([slow.status, fast.status]).toEqual([200, 200]);
    expect(slow.body).toMatchObject({ name: "A", description: "of B", version: 3 });
  });

  it("returns 412 with If-Match even when the strategy was changed and changed back meanwhile", async () => {
    const { id: projectId } = await newProject();
    const { id: environmentId } = await newEnvironment(projectId);
    const { id } = await newFlag(projectId);
    const set = await setStrategy(id, { environmentId, percentage: 25 });
    const path = `/api/v1/flags/${id}/strategies`;
    const { body, release } = twoPieceBody(JSON.stringify({ environmentId, percentage: 75 }));
    const slow = asAdmin("PUT", path, body, { "If-Match": `"${set.version}"` });
    await wait(30);
    await setStrategy(id, { environmentId, percentage: 50 });
    await setStrategy(id, { environmentId, percentage: 25 });
    release();
    expect(outcome(await slow)).toBe("412 CONFLICT");
  });

  it("does not make other edits of the same flag wait for its end", async () => {
    const { id } = await newFlag((await newProject()).id);
    const { body, release } = twoPieceBody(JSON.stringify({ name: "slow" }));
    const slow = asAdmin("PUT", `/api/v1/flags/${id}`, body);
    const others = [];
    for (let n = 0; n < 3; n++)
      others.push((await asAdmin("PUT", `/api/v1/flags/${id}`, { name: `${n}` })).status);
    expect(others).toEqual([200, 200, 200]);
    release();
    expect((await slow).body).toMatchObject({ name: "slow", version: 5 });
  });
});
