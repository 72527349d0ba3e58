import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Runtime, SECRETS, startService } from "../../scripts/service/runtime.ts";
import { migrate } from "../../scripts/service/seed.ts";
import { Session } from "../../scripts/lib/api.ts";
import { ROOT } from "../../scripts/lib/processes.ts";
import { signInOf } from "../../scripts/lib/sign-in.ts";
import { workerModules } from "./support/bundle.ts";
import { idOf, idsOf, Receiver, verified } from "./support/receiver.ts";
import { restart } from "./support/restart.ts";
import { freePort, until } from "./support/service.ts";

interface Integration {
  readonly id: number;
  readonly secret: string;
}

interface Delivery {
  readonly webhookId: string;
  readonly status: string;
  readonly attemptLog: readonly { readonly status: number | null; readonly error: string | null }[];
}

const CHANGES = 10;
/** The most deliveries of a queue batch: `max_batch_size` of the webhook queue in wrangler.toml. */
const MAX_BATCH = 5;
const ARRIVAL_MS = 240_000;

/**
 * How many calls a delivery takes at the paths of the receiver that respond in the end. A status of
 * 2xx is enough, whatever happens to the body.
 */
const CALLS = {
  "/fails-twice": 3,
  "/closes": 2,
  "/breaks-off": 1,
  "/never-ends": 1,
  "/drips": 1,
  "/broken-gzip": 1,
  "/talks": 1,
};

const folder = mkdtempSync(path.join(tmpdir(), "feature-flags-"));
let service: Runtime;
let session: Session;
let port: number;
let receiver: Receiver;
let projectId: number;
let late: { readonly port: number; receiver: Receiver | undefined };

/** Creates an integration that calls the path `at` of a receiver on the port `to`. */
async function integration(at: string, to = port, headers = {}): Promise<Integration> {
  const config = { url: `http://127.0.0.1:${to}${at}`, headers };
  const created = await session.post<{ id: number; configJson: string }>("/integrations", {
    name: `${at} on ${to}`,
    enabled: true,
    type: "custom_webhook",
    configJson: JSON.stringify(config),
    eventSubscriptionsJson: JSON.stringify(["flag.created"]),
    projectId,
  });
  const { secret } = JSON.parse(created.configJson) as { secret: string };
  return { id: created.id, secret };
}

const change = (n: number) =>
  session.post("/flags", { key: `flag-${n}`, name: "A flag", flagType: "RELEASE", projectId });

const deliveriesOf = async ({ id }: Integration) =>
  (await session.get<{ items: Delivery[] }>(`/integrations/${id}/deliveries?size=100`)).items;

beforeAll(async () => {
  port = await freePort();
  receiver = await Receiver.open(port);
  late = { port: await freePort(), receiver: undefined };
  service = await startService(ROOT, await workerModules(), {
    consumes: true,
    folder,
    variables: { WEBHOOK_RETRY_BASE_SECONDS: "1", WEBHOOK_ALLOW_HTTP: "true" },
  });
  await migrate(await service.miniflare.getD1Database("DB"), ROOT);
  const opened = await Session.open(`http://127.0.0.1:${service.ports[0]}`, signInOf(SECRETS));
  if (!opened) throw new Error("The administrator must be able to sign in");
  session = opened;
  projectId = (await session.post<{ id: number }>("/projects", { name: "Webhooks" })).id;
});

afterAll(async () => {
  receiver.close();
  late.receiver?.close();
  await service.miniflare.dispose();
  rmSync(folder, { recursive: true, force: true });
});

describe("the webhooks of ten changes of flags", () => {
  const integrations: Record<string, Integration> = {};
  const of = (at: string) => integrations[at] as Integration;
  let ids: readonly string[];

  beforeAll(async () => {
    const elsewhere = { "X-Elsewhere": `http://127.0.0.1:${port}/good-but-elsewhere` };
    for (const at of ["/good", "/hangs", ...Object.keys(CALLS)])
      integrations[at] = await integration(at);
    integrations["/redirects"] = await integration("/redirects", port, elsewhere);
    integrations["late"] = await integration("/good", late.port);
    for (let n = 0; n < CHANGES; n++) await change(n);
  });

  it("arrive at a working receiver while another receiver hangs", async () => {
    await until("all have arrived", ARRIVAL_MS, () => receiver.to("/good").length >= CHANGES);
    ids = idsOf(receiver.to("/good"));
    expect(ids).toHaveLength(CHANGES);
    const [hanging] = receiver.to("/hangs");
    await until("the first attempt ends", ARRIVAL_MS, () => hanging?.endedAt !== undefined);
    const { at: begin = 0, endedAt: end = 0 } = hanging ?? {};
    const meanwhile = receiver.calls.filter((call) => call.at > begin && call.at < end);
    // Expects more calls than the queue batch with the hanging delivery has.
    expect(meanwhile.filter((call) => call.path !== "/hangs").length).toBeGreaterThan(MAX_BATCH);
  });

  it("have a signature that the standardwebhooks package accepts", () => {
    for (const call of receiver.to("/good")) {
      const { type, data } = verified(of("/good").secret, call);
      expect(type).toBe("flag.created");
      expect(data.flag.key).toMatch(/^flag-\d$/);
      expect(() => verified(of("/hangs").secret, call)).toThrow("No matching signature found");
    }
  });

  it("have sequence numbers in the order of the changes", () => {
    const payloads = receiver.to("/good").map((call) => verified(of("/good").secret, call));
    const inOrder = payloads.toSorted((one, other) => one.data.sequence - other.data.sequence);
    expect(inOrder.map(({ data }) => data.flag.key)).toEqual(
      Array.from({ length: CHANGES }, (_, n) => `flag-${n}`),
    );
  });

  it.each(Object.entries(CALLS))(
    "arrive at the receiver's path %s in %d calls, with the same webhook-id in every retry",
    async (at, expected) => {
      const verdicts = async () => {
        const items = await deliveriesOf(of(at));
        return items.filter(({ status }) => status === "succeeded").length;
      };
      await until("all have succeeded", ARRIVAL_MS, async () => (await verdicts()) === CHANGES);
      const calls = receiver.to(at);
      expect(idsOf(calls)).toEqual(ids);
      for (const id of ids)
        expect(calls.filter((call) => idOf(call) === id)).toHaveLength(expected);
    },
  );

  it("arrive at a receiver that starts only after the first attempts have failed", async () => {
    late.receiver = await Receiver.open(late.port);
    const calls = () => late.receiver?.to("/good") ?? [];
    await until("all have arrived", ARRIVAL_MS, () => idsOf(calls()).length === CHANGES);
    expect(idsOf(calls())).toEqual(ids);
  });

  it("are not sent to the target of a redirect", async () => {
    const items = await deliveriesOf(of("/redirects"));
    expect(items[0]?.attemptLog[0]).toMatchObject({ status: 302, error: /redirect/ });
    expect(receiver.to("/good-but-elsewhere")).toEqual([]);
  });

  it("count as failed after 10 seconds at a receiver that hangs", async () => {
    const timedOut = async () =>
      (await deliveriesOf(of("/hangs"))).every(({ attemptLog }) =>
        attemptLog.some(({ error }) => error === "The receiver did not respond within 10 s"),
      );
    await until("all have timed out", ARRIVAL_MS, timedOut);
    expect(idsOf(receiver.to("/hangs"))).toEqual(ids);
  });
});

describe("a service that is killed right after a change", () => {
  // Runs only on systems with /proc, in which the test finds the process of the runtime.
  it.runIf(existsSync("/proc"))(
    "sends the webhook of that change after the next start",
    async () => {
      await change(CHANGES);
      service = await restart(service);
      const arrived = () => idsOf(receiver.to("/good")).length;
      // Runs the cron job. The kill may lose a webhook event that was in the queue, and the cron job
      // sends such an event to the queue again after one minute.
      await until("it has arrived", ARRIVAL_MS, async () => {
        await (await service.miniflare.getWorker()).scheduled({ cron: "* * * * *" });
        return arrived() > CHANGES;
      });
      expect(arrived()).toBe(CHANGES + 1);
    },
  );
});
