import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { call } from "../support/client.ts";
import { type Fault, faultyEnvironment, sleep } from "../support/faulty-bindings.ts";
import { adminToken } from "../support/people.ts";
import { newIntegration, newKey } from "../support/world.ts";
import { countedIn, deliveredFor } from "./aftermath.ts";
import { learn, type Modelled, newestAt, newModelled } from "./model.ts";
import { ask, noCounts, SdkClient, settled } from "./sdk-clients.ts";
import { snapshotKey } from "../../../src/platform/bindings/edge-store.ts";

const CLIENTS = 20;
const KEYS = 2;
const POLL_MS = 60;
const WRITE_MS = 150;

/** The number of SDK requests after which a run may end. A fast machine sends several times as many. */
const LEAST_REQUESTS = 500;

/**
 * How long a fault lasts at least, milliseconds: `long` if a binding hangs or is slow, else `brief`.
 * Any fault also lasts until requests have met it (`MUST_BE_USED`), and a brief fault until twice as
 * many writes have ended as there are writers, so that some of them began during the fault.
 */
const FAULT_MS = { brief: 900, long: 1_700 };

/**
 * Requests must meet a fault of at least one binding of each of these lists. A write reaches
 * BATCHES only after a query of DB, so it never meets a fault of BATCHES while DB fails, too.
 */
const MUST_BE_USED = [["DB", "BATCHES"], ["USAGE_OBJECTS"]] as const;

/** The time without faults between two groups of faults, milliseconds. */
const PEACE_MS = 800;

type World = ReturnType<typeof faultyEnvironment>;
type Binding = keyof World["at"];

/** Faults that occur at the same time, by the binding that has the fault. */
export type FaultGroup = Partial<Record<Binding, Fault>>;

interface Writes {
  made: number;
  refused: number;
  /**
   * Changes that were committed although the writer got a 503, because the database's response was
   * lost.
   */
  unconfirmed: number;
  other: number;
}

/**
 * Changes the percentages of flags one after the other, and updates the model after each change.
 */
async function write(world: World, modelled: Modelled, writes: Writes, until: () => boolean) {
  const token = await adminToken();
  const { environmentId, flags } = modelled;
  for (let n = 1; !until(); n++) {
    const flag = flags[n % flags.length];
    const body = { environmentId, percentage: (n % 99) + 1 };
    const before = newestAt(modelled, Infinity);
    const path = `/api/v1/flags/${flag?.id}/strategies`;
    const { status, headers } = await ask(world.env, "PUT", path, { token, body });
    const after = await learn(modelled);
    if (status === 200) writes.made += 1;
    else if (status !== 503 || !headers.has("Retry-After")) writes.other += 1;
    else if (after === before) writes.refused += 1;
    else writes.unconfirmed += 1;
    await sleep(WRITE_MS);
  }
}

/**
 * Deletes an API key while the database works, and polls with that key until the end. Returns the
 * status of a poll before the deletion, the status of the deletion, and the different statuses of
 * the polls after the deletion.
 */
async function deleteOne(world: World, { environmentId }: Modelled, until: () => boolean) {
  const { apiKey: token, id } = await newKey(environmentId);
  const poll = async () => (await ask(world.env, "GET", "/api/client/features", { token })).status;
  const before = await poll();
  const { status } = await call("DELETE", `/api/v1/api-keys/${id}`, { token: await adminToken() });
  const after = new Set<number>();
  while (!until()) {
    after.add(await poll());
    await sleep(POLL_MS);
  }
  return [before, status, ...after];
}

/**
 * Runs simulated SDKs and writers, and switches the groups of faults on and off one after another.
 * Returns the counts of the SDKs and writers, the stored usage, and the number of lost webhook
 * events.
 */
export async function underLoad(groups: readonly FaultGroup[]) {
  const world = faultyEnvironment();
  const environments = [await newModelled(KEYS), await newModelled(KEYS)] as const;
  const integrations = await Promise.all(
    environments.map(({ projectId }) => newIntegration(projectId)),
  );
  const changes = environments.map((modelled) => modelled.revisions.size);
  const state = { isOver: false };
  const isOver = () => state.isOver;
  const counts = noCounts();
  const writes: Writes = { made: 0, refused: 0, unconfirmed: 0, other: 0 };
  const clients = environments.flatMap((modelled) =>
    Array.from({ length: CLIENTS / environments.length }, (_, n) => {
      const key = modelled.keys[n % KEYS] ?? "";
      return new SdkClient(world.env, modelled, key, counts);
    }),
  );
  const work = [
    ...clients.map((client) => client.run(isOver, POLL_MS)),
    ...environments.map((modelled) => write(world, modelled, writes, isOver)),
  ];
  const deleted = deleteOne(world, environments[0], isOver);
  // Waits until the deletion of the API key is complete. It takes 2 s, because isolates may use a
  // deleted key for so long (MAX_LEASE_MS). Only then the bindings begin to fail.
  await sleep(2_300);
  for (const group of groups) {
    for (const [binding, fault] of Object.entries(group))
      world.at[binding as Binding].fault = fault;
    const isWaitedFor = Object.values(group).some(({ mode }) => mode === "hang" || mode === "slow");
    const used = MUST_BE_USED.map((bindings) =>
      bindings.filter((binding) => group[binding]),
    ).filter((bindings) => bindings.length > 0);
    const metNow = () => used.map((bindings) => sum(bindings.map((one) => world.at[one].met)));
    const before = { writes: ended(writes), met: metNow() };
    const leastWrites = isWaitedFor ? 0 : 2 * environments.length;
    await sleep(isWaitedFor ? FAULT_MS.long : FAULT_MS.brief);
    while (
      ended(writes) < before.writes + leastWrites ||
      metNow().some((met, n) => met === before.met[n])
    )
      await sleep(POLL_MS);
    world.heal();
    await sleep(PEACE_MS);
  }
  while (counts.requests < LEAST_REQUESTS) await sleep(POLL_MS);
  state.isOver = true;
  await Promise.all(work);
  const met = Object.values(world.at).reduce((sum, one) => sum + one.met, 0);
  // After 1 s without faults, each isolate checks its API keys again, so every response must have
  // the newest rules.
  await sleep(1_000);
  const caughtUp = await Promise.all(environments.map((modelled) => statusOf(world, modelled)));
  await settled();
  for (const client of clients) client.verify();
  const made = environments.map((modelled, n) => modelled.revisions.size - (changes[n] ?? 0));
  const events = await deliveredFor(world, integrations);
  const usage = await countedIn(world, environments, counts);
  const lost = sum(made) - events;
  return { counts, writes, met, caughtUp, deleted: await deleted, lost, usage };
}

/** The number of writes that have ended. */
const ended = ({ made, refused, unconfirmed, other }: Writes) =>
  made + refused + unconfirmed + other;

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/**
 * Polls an environment. Returns the status, the served revision minus the newest revision, and the
 * `Warning` header. Waits until KV has the newest revision.
 */
async function statusOf(world: World, modelled: Modelled) {
  const token = modelled.keys[0] ?? "";
  const { status, headers } = await ask(world.env, "GET", "/api/client/features", { token });
  const revision = newestAt(modelled, Infinity);
  const stored = async () =>
    (await env.EDGE.get<{ revision: number }>(snapshotKey(modelled.environmentId), "json"))
      ?.revision;
  await expect.poll(stored).toBe(revision);
  return [status, Number(headers.get("X-Revision")) - revision, headers.get("Warning")];
}

/** Asserts what the service guarantees during every fault. */
export function expectNothingLost(run: Awaited<ReturnType<typeof underLoad>>): void {
  const { counts, writes, met, caughtUp, deleted, lost, usage } = run;
  expect(counts.wrong).toEqual([]);
  expect([counts.failures, writes.other, lost]).toEqual([0, 0, 0]);
  expect([met > 0, writes.made > 0]).toEqual([true, true]);
  expect(deleted).toEqual([200, 204, 401]);
  expect(caughtUp).toEqual(caughtUp.map(() => [200, 0, null]));
  expect(usage.counted).toEqual(usage.accepted);
}
