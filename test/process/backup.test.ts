import { copyFile, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { send, Session } from "../../scripts/lib/api.ts";
import { attempt, ROOT } from "../../scripts/lib/processes.ts";
import { ADMINISTRATOR, freePort, Service, until } from "./support/service.ts";

/** A folder with a configuration and the local database beside it, as a checkout has them. */
interface Place {
  readonly folder: string;
  readonly config: string;
}

let root: string;
let service: Service | undefined;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), "feature-flags-backup-"));
});
afterAll(async () => {
  service?.kill();
  await rm(root, { recursive: true });
});

async function newPlace(): Promise<Place> {
  const folder = await mkdtemp(path.join(root, "place-"));
  const config = path.join(folder, "wrangler.toml");
  await copyFile(path.join(ROOT, "wrangler.toml"), config);
  return { folder, config };
}

/** Runs the service with the database of a place while `use` runs. */
async function withService<T>(
  { folder }: Place,
  use: (url: string, session: Session) => Promise<T>,
): Promise<T> {
  const port = String(await freePort());
  const state = path.join(folder, ".wrangler/state");
  service = new Service("--port", port, "--persist-to", state);
  await service.started();
  const url = `http://localhost:${port}`;
  const session = await Session.open(url, ADMINISTRATOR);
  if (!session) throw new Error("The administrator cannot sign in");
  const result = await use(url, session);
  await service.stop("SIGTERM");
  return result;
}

const script = (name: "backup" | "restore", { config }: Place, ...args: readonly string[]) =>
  attempt({ script: `../scripts/${name}.ts`, args: ["--config", config, ...args] });

interface DemoKey {
  readonly keyType: "SERVER" | "FRONTEND";
  readonly apiKey: string;
}

/** Returns the API keys of the demo project, one of each type for each environment. */
async function demoKeys({ folder }: Place): Promise<readonly DemoKey[]> {
  const demo = JSON.parse(await readFile(path.join(folder, ".wrangler/state/demo.json"), "utf8"));
  return demo.keys;
}

/** Returns what each key reads: the rules, or the verdicts of all flags. */
const answersOf = (url: string, keys: readonly DemoKey[]) =>
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

const FLAG = { name: "A flag", flagType: "RELEASE", projectId: 1 };

it("restores a backup in an empty database, which gives every key the same answers, and refuses a database with tables", async () => {
  const [source, target] = [await newPlace(), await newPlace()];
  const file = path.join(source.folder, "backup.sql");
  // Together longer than one SQL statement may be.
  const variants = ["a", "b"].map((key) => ({ key, value: key + "語'".repeat(15_000) }));
  const { keys, answers, lastId } = await withService(source, async (url, session) => {
    const values = { valueType: "string", variants };
    await session.post("/flags", { ...FLAG, key: "long", description: "one\ntwo", ...values });
    const deleted = await session.post<{ id: number }>("/flags", { ...FLAG, key: "deleted" });
    await session.post(`/flags/${deleted.id}/archive`);
    await session.call("DELETE", `/flags/${deleted.id}`);
    const found = await demoKeys(source);
    let read = await answersOf(url, found);
    await until("every key reads the new flag", 60_000, async () => {
      read = await answersOf(url, found);
      return read.every(({ text }) => text.includes('"long"'));
    });
    return { keys: found, answers: read, lastId: deleted.id };
  });
  expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));

  expect(await script("backup", source, "--output", file)).toMatchObject({ code: 0, errors: "" });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const again = await script("backup", source, "--output", file);
  expect([again.code, again.errors]).toEqual([1, expect.stringContaining("exists; name another")]);

  expect(await script("restore", target, file)).toMatchObject({ code: 0 });
  const refused = await script("restore", target, file);
  expect([refused.code, refused.errors]).toEqual([
    1,
    expect.stringContaining("The database has tables already"),
  ]);

  await withService(target, async (url, session) => {
    expect(await answersOf(url, keys)).toEqual(answers);
    const { items } = await session.get<{ items: object[] }>("/flags?search=long");
    expect(items).toMatchObject([{ description: "one\ntwo", variants }]);
    // The id of a deleted flag is not used again.
    const created = await session.post<{ id: number }>("/flags", { ...FLAG, key: "new" });
    expect(created.id).toBeGreaterThan(lastId);
  });
});
