import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENVIRONMENTS, FLAGS, SEGMENTS } from "../../scripts/demo-data.ts";
import { workingKeys } from "../../scripts/demo-keys.ts";
import { send, Session } from "../../scripts/lib/api.ts";
import { type DemoRecord, demoFile, readDemo } from "../../scripts/lib/demo-file.ts";
import { attempt } from "../../scripts/lib/processes.ts";
import { ADMINISTRATOR, freePort, paste, Service, until } from "./support/service.ts";

interface Item {
  readonly id: number;
  readonly name: string;
  readonly key: string;
  readonly production?: boolean;
}

/** Returns a new folder with a configuration, beside which a local database may be. */
function newPlace() {
  const folder = mkdtempSync(path.join(tmpdir(), "feature-flags-"));
  const config = path.join(folder, "wrangler.toml");
  copyFileSync("wrangler.toml", config);
  return { folder, config, persistTo: path.join(folder, ".wrangler/state") };
}

const source = newPlace();
const { persistTo } = source;
const ownSecrets = existsSync(".dev.vars") ? readFileSync(".dev.vars", "utf8") : undefined;
let port: number;
let address: string;
let service: Service;

const startAgain = async () => {
  service = await new Service(`--port=${port}`, "--persist-to", persistTo).started();
};

const signIn = async () => {
  const session = await Session.open(address, ADMINISTRATOR);
  if (!session) throw new Error("the sign-in failed");
  return session;
};

async function contents() {
  const session = await signIn();
  const { items: flags } = await session.get<{ items: Item[] }>(
    "/flags?includeArchived=true&size=200",
  );
  const [projects, environments, segments, keys] = await Promise.all(
    ["/projects", "/environments", "/segments", "/api-keys"].map((at) => session.get<Item[]>(at)),
  );
  const { items: requests } = await session.get<{ items: Item[] }>("/change-requests");
  return { projects, environments, segments, keys, flags, requests };
}

const withoutEtags = (lines: readonly string[]) =>
  lines.map((line) => line.replace(/If-None-Match: "[^"]*"/, "If-None-Match"));

beforeAll(async () => {
  port = await freePort();
  address = `http://localhost:${port}`;
  await startAgain();
});

afterAll(() => {
  service.kill();
  rmSync(source.folder, { recursive: true });
});

describe("npm start", () => {
  let first: Awaited<ReturnType<typeof contents>>;
  let printed: readonly string[];

  it("prints the address, and an e-mail and password that work", async () => {
    expect(service.printed("Address")).toBe(address);
    expect(service.printed("E-mail")).toBe(ADMINISTRATOR.email);
    expect(service.printed("Password")).toBe(ADMINISTRATOR.password);
    await expect(signIn()).resolves.toBeInstanceOf(Session);
  });

  it("generates .dev.vars when it is missing, and otherwise keeps it", () => {
    const secrets = readFileSync(".dev.vars", "utf8");
    expect(secrets).toMatch(/^SERVICE_JWT_SECRET=.{32,}$/m);
    expect(ownSecrets ?? secrets).toBe(secrets);
  });

  it("creates a demo project with its flags and segments, two API keys per environment, and an open change request", async () => {
    first = await contents();
    expect(first.projects).toHaveLength(1);
    expect(first.environments?.map(({ name }) => name)).toEqual(ENVIRONMENTS);
    expect(first.environments?.find(({ production }) => production)?.name).toBe("production");
    expect(first.segments).toHaveLength(SEGMENTS.length);
    expect(first.keys).toHaveLength(ENVIRONMENTS.length * 2);
    expect(first.requests).toHaveLength(1);
    expect(first.flags.map(({ key }) => key).toSorted()).toEqual(
      FLAGS.map(({ key }) => key).toSorted(),
    );
  });

  it("reports usage for four SDK instances of the demo", async () => {
    const session = await signIn();
    const [project] = first.projects ?? [];
    const instances = () => session.get<Item[]>(`/projects/${project?.id}/client-instances`);
    await expect.poll(instances).toHaveLength(4);
  });

  it("writes usage for each hour of the seven days before the demo", async () => {
    const session = await signIn();
    const { id } = first.environments?.find(({ production }) => production) ?? {};
    const now = Date.now();
    const from = new Date(now - 6.9 * 86_400_000).toISOString();
    const to = new Date(now - 3_600_000).toISOString();
    const { series } = await session.get<{ series: readonly { t: number; f: number }[] }>(
      `/metrics?environmentId=${id}&interval=hour&from=${from}&to=${to}`,
    );
    expect(series.length).toBeGreaterThan(6.8 * 24);
    expect(series.filter(({ t, f }) => t === 0 || f === 0)).toEqual([]);
  });

  it("stores the API keys in a file that only its owner can read", () => {
    expect(statSync(demoFile(persistTo)).mode.toString(8)).toMatch(/600$/);
  });

  it("prints curl commands that work as printed", async () => {
    printed = service.curlLines;
    expect(printed).toHaveLength(3);
    const [features = "", ifChanged = "", evaluate = ""] = printed;
    expect(JSON.parse(await paste(features))).toHaveLength(FLAGS.length);
    expect(await paste(ifChanged)).toMatch(/^HTTP\/1\.1 304 /);
    expect(JSON.parse(await paste(evaluate))).toMatchObject({
      evaluations: { "new-checkout": { enabled: true }, "express-delivery": { enabled: true } },
    });
  });

  it("serves the dashboard's entry page for any other path", async () => {
    const { status, body } = await send(`${address}/flags`, {});
    expect(status).toBe(200);
    expect(body).toMatch(/<!doctype html>/i);
  });

  it("answers a large body that is refused early with its error, and not with a lost connection", async () => {
    const post = async (at: string, method: "POST" | "PATCH" = "POST") => {
      const headers = { "Content-Type": "application/json" };
      const init = { headers, body: "a".repeat(9 * 1_048_576) };
      return (await fetch(`${address}${at}`, { ...init, method })).status;
    };
    for (let n = 0; n < 3; n++)
      expect([
        await post("/api/v1/flags"),
        await post("/api/client/evaluate"),
        await post("/api/v1/nothing"),
        await post("/api/v1/flags", "PATCH"),
        await post("/api/v1/auth/login"),
      ]).toEqual([401, 401, 404, 405, 400]);
  });

  it("fails when the port is in use, and leaves no process running", async () => {
    const second = new Service("--port", String(port), "--persist-to", persistTo);
    expect(await second.ended()).toBe(1);
    expect(second.output).toContain(`Port ${port} is in use`);
  });

  it("stops at Ctrl-C, and the next start keeps every change and creates no second project, flag, API key or change request", async () => {
    const session = await signIn();
    const idOf = (key: string) => first.flags.find((flag) => flag.key === key)?.id;
    const production = first.environments?.find(({ name }) => name === "production")?.id;
    await session.post(`/flags/${idOf("dark-mode")}/archive`);
    await session.put(`/flags/${idOf("semantic-search")}/strategies`, {
      environmentId: production,
      percentage: 50,
    });
    expect(await service.stop("SIGINT")).toBe(0);
    await expect(send(address, {})).rejects.toThrow("fetch failed");

    await startAgain();
    expect(withoutEtags(service.curlLines)).toEqual(withoutEtags(printed));
    const second = await contents();
    expect(second.keys).toEqual(
      first.keys?.map((key) => ({ ...key, lastUsedAt: expect.toSatisfy(isTimeOrNull) as unknown })),
    );
    expect(second.projects).toEqual(first.projects);
    expect(second.segments).toEqual(first.segments);
    expect(second.flags.map(({ id }) => id)).toEqual(first.flags.map(({ id }) => id));

    const [features = "", ifChanged = ""] = service.curlLines;
    const rules = JSON.parse(await paste(features)) as {
      key: string;
      activation: { rollOut: number };
    }[];
    expect(rules.find(({ key }) => key === "dark-mode")).toBeUndefined();
    expect(rules.find(({ key }) => key === "semantic-search")?.activation.rollOut).toBe(50);
    expect(await paste(ifChanged)).toMatch(/^HTTP\/1\.1 304 /);
  });

  it("replaces the deleted API keys of the printed commands, and no other API keys", async () => {
    const session = await signIn();
    const { keys = [] } = await contents();
    await Promise.all(keys.map(({ id }) => session.call("DELETE", `/api-keys/${id}`)));
    const file = demoFile(persistTo);
    const record = readDemo(file);
    if (!record) throw new Error("There is no demo file");
    const replaced = await workingKeys(session, address, file, record);
    expect((await contents()).keys).toHaveLength(2);
    const { body } = await send(`${address}/api/client/features`, { token: replaced?.server });
    expect(body).toHaveLength(FLAGS.length - 1);
  });

  it("stops at SIGTERM, and the next start creates new API keys, but no new project or flags, when the file with the API keys is lost", async () => {
    expect(await service.stop("SIGTERM")).toBe(0);
    await expect(send(address, {})).rejects.toThrow("fetch failed");
    rmSync(demoFile(persistTo));
    await startAgain();
    const { projects, environments, flags, keys } = await contents();
    expect(projects).toEqual(first.projects);
    expect(environments?.map(({ id }) => id)).toEqual(first.environments?.map(({ id }) => id));
    expect(flags).toHaveLength(first.flags.length);
    // Expects two API keys in place of the deleted ones. This start creates two for each other
    // environment, and two for the printed commands, because existing API keys cannot be read back.
    expect(keys).toHaveLength(2 + (ENVIRONMENTS.length - 1) * 2 + 2);
    expect(JSON.parse(await paste(service.curlLines[0] ?? ""))).toHaveLength(FLAGS.length - 1);
  });

  it("starts a service on which the commands of docs/use/api.md work as printed, also a second time", async () => {
    const document = readFileSync("docs/use/api.md", "utf8");
    const section = document.slice(
      document.indexOf("## The main job"),
      document.indexOf("## Conventions"),
    );
    const [, ...blocks] = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block = ""]) => block);
    expect(blocks).toHaveLength(4);
    const commands = blocks.join("\n").replace("http://localhost:8787", address);
    const settings = {
      BOOTSTRAP_ADMIN_EMAIL: ADMINISTRATOR.email,
      // Escapes the password for a JSON string. Only the password of this test needs it; generated
      // passwords do not.
      BOOTSTRAP_ADMIN_PASSWORD: ADMINISTRATOR.password.replaceAll('"', String.raw`\"`),
    };
    const once = await paste(commands, settings);
    // The name of the project ends with the second.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    for (const output of [once, await paste(commands, settings)]) {
      expect(output).toContain('"percentage":50');
      expect(output).toContain('[{"key":"new-checkout",');
      expect(output).toMatch(/^HTTP\/1\.1 304 /m);
      expect(output).toMatch(
        /\{"evaluations":\{"new-checkout":\{"enabled":(true|false),"reason":"SPLIT"\}\},"revision":\d+\}$/,
      );
    }
  });
});

type DemoKeys = DemoRecord["keys"];

/** Returns what each key reads: the rules, or the verdicts of all flags. */
const answersOf = (url: string, keys: DemoKeys) =>
  Promise.all(
    keys.map(async ({ keyType, apiKey: token }) => {
      const { status, body } =
        keyType === "SERVER"
          ? await send(`${url}/api/client/features`, { token })
          : await send(`${url}/api/client/evaluate`, {
              method: "POST",
              token,
              body: { context: { targetingKey: "customer-1007", country: "DE" } },
            });
      // A restore raises the revision above those that SDKs may know.
      const text = JSON.stringify(body).replace(/"revision":\d+/, "");
      return { keyType, status, text };
    }),
  );

const run = (name: "backup" | "restore", config: string, ...args: readonly string[]) =>
  attempt({ script: `../scripts/${name}.ts`, args: ["--config", config, ...args] });

describe("npm run backup and npm run restore, with the database of npm start,", () => {
  const file = path.join(source.folder, "backup.sql");
  const flag = { name: "A flag", flagType: "RELEASE", projectId: 1 };
  // Together longer than one SQL statement may be.
  const variants = ["a", "b"].map((key) => ({ key, value: key + "語'".repeat(15_000) }));
  let accessToken: string;
  let keys: DemoKeys;
  let answers: Awaited<ReturnType<typeof answersOf>>;
  let lastId: number;

  beforeAll(async () => {
    const session = await signIn();
    const values = { valueType: "string", variants };
    await session.post("/flags", { ...flag, key: "long", description: "one\ntwo", ...values });
    ({ id: lastId } = await session.post<Item>("/flags", { ...flag, key: "deleted" }));
    await session.post(`/flags/${lastId}/archive`);
    await session.call("DELETE", `/flags/${lastId}`);
    const rights = { name: "CI", scopes: ["read"], currentPassword: ADMINISTRATOR.password };
    ({ token: accessToken } = await session.post<{ token: string }>("/tokens", rights));
    keys = readDemo(demoFile(persistTo))?.keys ?? [];
    await until("every key reads the new flag", 60_000, async () => {
      answers = await answersOf(address, keys);
      return answers.every(({ text }) => text.includes('"long"'));
    });
    await service.stop("SIGINT");
  });

  it("writes a backup that only its owner can read, and overwrites no file", async () => {
    rmSync(file, { force: true });
    const { config } = source;
    expect(await run("backup", config, "--output", file)).toMatchObject({ code: 0, errors: "" });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = await run("backup", config, "--output", file);
    expect([again.code, again.errors]).toEqual([
      1,
      expect.stringContaining("exists; name another"),
    ]);
  });

  it("restores the backup in an empty database, which gives every key the same answers, revokes tokens and closes change requests, and refuses a database with tables", async () => {
    expect(keys).toHaveLength(ENVIRONMENTS.length * 2);
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));
    const target = newPlace();
    const place = ["--persist-to", target.persistTo];
    expect(await run("restore", source.config, file, ...place)).toMatchObject({ code: 0 });
    const refused = await run("restore", source.config, file, ...place);
    expect([refused.code, refused.errors]).toEqual([
      1,
      expect.stringContaining("The database has tables already"),
    ]);
    service = new Service(`--port=${port}`, "--persist-to", target.persistTo);
    try {
      await service.started();
      expect(await answersOf(address, keys)).toEqual(answers);
      const session = await signIn();
      const { items } = await session.get<{ items: object[] }>("/flags?search=long");
      expect(items).toMatchObject([{ description: "one\ntwo", variants }]);
      // Both may have ended since the backup.
      expect((await send(`${address}/api/v1/projects`, { token: accessToken })).status).toBe(401);
      const closed = await session.get<{ items: object[] }>("/change-requests?state=closed");
      expect(closed.items).toMatchObject([{ closedBy: "restore" }]);
      // The id of a deleted flag is not used again.
      const created = await session.post<Item>("/flags", { ...flag, key: "new" });
      expect(created.id).toBeGreaterThan(lastId);
      await service.stop("SIGTERM");
    } finally {
      service.kill();
      rmSync(target.folder, { recursive: true });
    }
  });
});

const isTimeOrNull = (value: unknown) => value === null || typeof value === "string";
