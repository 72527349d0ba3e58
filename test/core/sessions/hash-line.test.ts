import { describe, expect, it } from "vitest";
import { ApiError } from "../../../src/core/errors/api-error.ts";
import { HashLine } from "../../../src/core/sessions/hash-line.ts";
import { FakeClock } from "../../support/clock.ts";

/** Returns a line with its clock. A hash that begins ends only when the test says so. */
function newLine() {
  const clock = new FakeClock();
  const line = new HashLine();
  const running: { readonly name: string; readonly end: () => void }[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  const enter = async (name: string, network?: string, userId?: number): Promise<string> => {
    try {
      return await line.run(clock, { userId, network }, (inTurn) =>
        inTurn(async () => {
          mostAtOnce = Math.max(mostAtOnce, (atOnce += 1));
          await new Promise<void>((end) => running.push({ name, end }));
          atOnce -= 1;
          return "hashed";
        }),
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return `${error.status} after ${error.headers["Retry-After"]} s`;
    }
  };
  /**
   * Ends the oldest hash, and lets the waiting callers check whether it is their turn. Returns the
   * name of the hash's caller.
   */
  const endOne = async (): Promise<string | undefined> => {
    const first = running.shift();
    first?.end();
    await settle();
    for (let n = 0; n < 3; n++) {
      clock.advance(20);
      await settle();
    }
    return first?.name;
  };
  return { clock, line, enter, endOne, running, mostAtOnce: () => mostAtOnce };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

describe("the line for password hashes", () => {
  it("runs one hash at a time, in the order of arrival", async () => {
    const { enter, endOne, mostAtOnce } = newLine();
    const answers = numbers(8).map((n) => enter(`caller ${n}`));
    await settle();
    const order: (string | undefined)[] = [];
    for (const _ of answers) order.push(await endOne());
    expect(order).toEqual(numbers(8).map((n) => `caller ${n}`));
    expect(new Set(await Promise.all(answers))).toEqual(new Set(["hashed"]));
    expect(mostAtOnce()).toBe(1);
  });

  it("returns 429 to the fifth stranger of a network, while another network is served", async () => {
    const { enter, endOne } = newLine();
    const first = numbers(4).map((n) => enter(`caller ${n}`, "192.0.2.1"));
    expect(await enter("the fifth", "192.0.2.1")).toBe("429 after 1 s");
    const other = enter("another", "192.0.2.2");
    for (let n = 0; n < 5; n++) await endOne();
    expect(await Promise.all([...first, other])).toEqual(Array(5).fill("hashed"));
  });

  it("returns 503 to the eleventh stranger, while two more known callers are served", async () => {
    const { enter, endOne } = newLine();
    const strangers = numbers(10).map((n) => enter(`stranger ${n}`, `192.0.2.${n}`));
    expect(await enter("the eleventh", "192.0.2.99")).toBe("503 after 2 s");
    const known = numbers(2).map((n) => enter(`known ${n}`, "192.0.2.1", n));
    expect(await enter("the third known", "192.0.2.1", 2)).toBe("503 after 2 s");
    for (let n = 0; n < 12; n++) await endOne();
    expect(await Promise.all([...strangers, ...known])).toEqual(Array(12).fill("hashed"));
  });

  it("treats a user's second caller at a time as a stranger, so one user does not keep other users out", async () => {
    const { enter, endOne } = newLine();
    const ofOne = numbers(16).map((n) => enter(`caller ${n}`, `192.0.2.${n}`, 1));
    const other = enter("other", "192.0.2.99", 2);
    for (let n = 0; n < 12; n++) await endOne();
    expect(await other).toBe("hashed");
    const busy = Array(5).fill("503 after 2 s");
    expect(await Promise.all(ofOne)).toEqual([...Array(11).fill("hashed"), ...busy]);
    const next = enter("the next of the user", "192.0.2.1", 1);
    await endOne();
    expect(await next).toBe("hashed");
  });

  it("tells the hash whether its caller has the place of a known caller", async () => {
    const { clock, line } = newLine();
    const places: boolean[] = [];
    const hash = async (isKnown: boolean) => void places.push(isKnown);
    await line.run(clock, { userId: 1, network: undefined }, async (inTurn) => {
      await inTurn(hash);
      const second = line.run(clock, { userId: 1, network: undefined }, (turn) => turn(hash));
      for (const _ of numbers(3)) {
        await settle();
        clock.advance(20);
      }
      await second;
    });
    expect(places).toEqual([true, false]);
  });

  it("lets a caller hash twice, and never runs two hashes at a time", async () => {
    const { clock, enter, endOne, running, mostAtOnce, line } = newLine();
    const both = line.run(clock, { userId: 1, network: undefined }, async (inTurn) => {
      const hash = () => new Promise<void>((end) => running.push({ name: "twice", end }));
      await inTurn(hash);
      await inTurn(hash);
    });
    const other = enter("other");
    const order: (string | undefined)[] = [];
    for (let n = 0; n < 3; n++) {
      await settle();
      expect(running).toHaveLength(1);
      order.push(await endOne());
    }
    await both;
    expect([await other, mostAtOnce()]).toEqual(["hashed", 1]);
    expect(order.filter((name) => name === "twice")).toHaveLength(2);
  });

  it("pauses for at least 40 ms between two hashes, so that other requests run", async () => {
    const { clock, enter, running } = newLine();
    const first = enter("first");
    void enter("second");
    await settle();
    running.shift()?.end();
    await first;
    for (let n = 0; n < 2; n++) {
      clock.advance(20);
      await settle();
      expect(running).toEqual([]);
    }
    clock.advance(20);
    await settle();
    expect(running).toHaveLength(1);
  });

  it("frees the place of a caller whose hash fails", async () => {
    const { clock, line } = newLine();
    const fail = () =>
      line.run(clock, { userId: undefined, network: "192.0.2.1" }, (inTurn) =>
        inTurn(async () => {
          throw new Error("no hash");
        }),
      );
    for (let n = 0; n < 20; n++) await expect(fail()).rejects.toThrow("no hash");
  });

  it("frees the places of requests that the platform has stopped after ten seconds", async () => {
    const { clock, enter, running } = newLine();
    // These hashes never end, and their callers never poll again.
    for (const n of numbers(10)) void enter(`stopped ${n}`, `192.0.2.${n}`);
    await settle();
    clock.dropTimers();
    clock.advance(9_999);
    expect(await enter("too early", "192.0.2.99")).toBe("503 after 2 s");
    clock.advance(1);
    const served = enter("served", "192.0.2.99");
    await settle();
    running.find(({ name }) => name === "served")?.end();
    expect(await served).toBe("hashed");
  });
});
