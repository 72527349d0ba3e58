import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Runtime, SECRETS, startService } from "../../scripts/service/runtime.ts";
import { migrate } from "../../scripts/service/seed.ts";
import { Session } from "../../scripts/lib/api.ts";
import { ROOT } from "../../scripts/lib/processes.ts";
import { newAccessToken } from "../../src/core/credentials/access-token.ts";
import { sha256 } from "../../src/core/lib/digest.ts";
import { workerModules } from "./support/bundle.ts";
import { type Proxy, startProxy } from "../support/cloudflare-proxy.ts";
import { printed, runCli, startCli } from "./support/cli.ts";

const folder = mkdtempSync(path.join(tmpdir(), "feature-flags-cli-"));
const settingsFile = path.join(folder, "config.json");

let runtime: Runtime;
let proxy: Proxy;
let url: string;
let session: Session;
let token: string;
let projectId: number;
let db: Awaited<ReturnType<Runtime["miniflare"]["getD1Database"]>>;
const environments = new Map<string, number>();

interface WithId {
  readonly id: number;
}

beforeAll(async () => {
  runtime = await startService(ROOT, await workerModules());
  db = await runtime.miniflare.getD1Database("DB");
  await migrate(db, ROOT);
  // The program runs behind a proxy that makes every ETag weak, as Cloudflare does with those of
  // compressed responses.
  proxy = await startProxy(`http://127.0.0.1:${runtime.ports[0]}`, "weaken");
  ({ url } = proxy);
  const { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password } = SECRETS;
  const opened = await Session.open(url, { email, password });
  if (opened === undefined) throw new Error("the sign-in failed");
  session = opened;
  ({ id: projectId } = await session.post<WithId>("/projects", { name: "Web shop" }));
  for (const name of ["staging", "production", "guarded"]) {
    const body = { name, projectId, production: name === "production" };
    environments.set(name, (await session.post<WithId>("/environments", body)).id);
  }
  // The API refuses a protection while the administrator is the only user.
  await db.exec("UPDATE environments SET required_approvals = 1 WHERE name = 'guarded'");
  for (const [key, fields] of [
    ["cart", {}],
    [
      "colour",
      {
        valueType: "string",
        variants: [
          { key: "blue", value: "#11c" },
          { key: "red", value: "#e33" },
        ],
        offVariant: "blue",
        prerequisites: [{ flagKey: "cart" }],
      },
    ],
  ] as const)
    await session.post("/flags", { key, name: key, flagType: "RELEASE", projectId, ...fields });
  const rights = { name: "cli", scopes: ["write"], currentPassword: password };
  ({ token } = await session.post<{ token: string }>("/tokens", rights));
});

afterAll(async () => {
  await proxy.close();
  await runtime.miniflare.dispose();
  rmSync(folder, { recursive: true });
});

/** Runs the program against the service. Fails if the program prints the token. */
async function flags(...args: readonly string[]) {
  const env = { FLAGS_URL: url, FLAGS_TOKEN: token, FLAGS_CONFIG: path.join(folder, "none.json") };
  const run = await runCli(args, { env });
  expect(run.stdout + run.stderr).not.toContain(token);
  return run;
}

const strategyOf = (key: string, environment: string) =>
  flags("get", key, "--json").then((run) =>
    printed(run).strategies.find(
      (one: { environmentName: string }) => one.environmentName === environment,
    ),
  );

describe("flags login", () => {
  const env = { FLAGS_CONFIG: settingsFile };

  it("keeps a token from standard input in a file that only the user can read, and logout removes it", async () => {
    const login = ["login", "--url", url, "--token-stdin", "--profile", "shop"];
    const signedIn = await runCli(login, { env, input: `${token}\n` });
    expect(signedIn.stdout + signedIn.stderr).not.toContain(token);
    expect(signedIn.code).toBe(0);
    expect(statSync(settingsFile).mode & 0o777).toBe(0o600);
    expect(readFileSync(settingsFile, "utf8")).toContain(token);
    const whoami = printed(await runCli(["whoami", "--json"], { env }));
    expect(whoami).toMatchObject({
      version: 1,
      url,
      token: {
        kind: "personal token",
        source: "profile shop",
        owner: { kind: "user", name: SECRETS.BOOTSTRAP_ADMIN_EMAIL },
        scopes: ["write"],
        environments: null,
        expiresAt: expect.any(String),
      },
      projects: [{ name: "Web shop", role: "ADMIN" }],
    });
    expect((await runCli(["logout"], { env })).code).toBe(0);
    expect(readFileSync(settingsFile, "utf8")).not.toContain(token);
    expect((await runCli(["list", "--url", url], { env })).code).toBe(5);
  });

  it("shows the environments to which a token is limited, with their projects", async () => {
    const limited = await session.post<{ token: string }>("/tokens", {
      name: "staging",
      scopes: ["write"],
      environmentIds: [environments.get("staging")],
      currentPassword: SECRETS.BOOTSTRAP_ADMIN_PASSWORD,
    });
    const tokens = { FLAGS_URL: url, FLAGS_TOKEN: limited.token };
    const { stdout } = await runCli(["whoami"], { env: { ...env, ...tokens } });
    expect(stdout).toContain("writes only in: Web shop/staging");
  });

  it("keeps the token that a user approves in the browser, by the code that it shows", async () => {
    const file = path.join(folder, "device.json");
    const child = startCli(["login", "--url", url], { env: { FLAGS_CONFIG: file } });
    const shown = new Promise<string>((resolve) => {
      let output = "";
      child.stderr.on("data", (part: Buffer) => {
        output += part.toString();
        const code = /confirm the code (\S+?)\./.exec(output)?.[1];
        if (code !== undefined) resolve(code);
      });
    });
    const decision = { userCode: await shown, currentPassword: SECRETS.BOOTSTRAP_ADMIN_PASSWORD };
    await session.post("/auth/device/approve", decision);
    expect((await once(child, "close"))[0]).toBe(0);
    const whoami = await runCli(["whoami", "--json"], { env: { FLAGS_CONFIG: file } });
    expect(printed(whoami).token.kind).toBe("personal token");
  });

  it("keeps nothing when the service refuses the token", async () => {
    const file = path.join(folder, "refused.json");
    const run = await runCli(["login", "--url", url, "--token-stdin"], {
      env: { FLAGS_CONFIG: file },
      input: "ffpat_wrong",
    });
    expect(run.code).toBe(5);
    expect(run.stderr).not.toContain("ffpat_wrong");
    expect(() => statSync(file)).toThrow("ENOENT");
  });
});

describe("a repository with an address in .flags.json", () => {
  it("gets no FLAGS_TOKEN and no login, unless --url names the address, too", async () => {
    const requests: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      requests.push(request.headers.authorization);
      response.end("[]");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const cwd = path.join(folder, "cloned", "sub");
    mkdirSync(cwd, { recursive: true });
    writeFileSync(path.join(folder, "cloned", ".flags.json"), JSON.stringify({ url: address }));
    const env = { FLAGS_TOKEN: token, FLAGS_CONFIG: path.join(folder, "none.json") };
    const refused = await runCli(["whoami", "--json"], { env, cwd });
    expect(refused.code).toBe(64);
    expect(printed(refused).error.remedy).toContain("--url");
    const login = await runCli(["login", "--json"], { env, cwd });
    expect([login.code, printed(login).error.remedy]).toEqual([
      64,
      expect.stringContaining("--url"),
    ]);
    expect(requests).toEqual([]);
    await runCli(["list", "--url", address], { env, cwd });
    expect(requests).toEqual([`Bearer ${token}`]);
    server.close();
  });
});

describe("flags list and get", () => {
  it("show the flags, and the state in an environment", async () => {
    const list = printed(await flags("list", "--json"));
    expect(list.flags.map(({ key }: { key: string }) => key)).toEqual(["cart", "colour"]);
    const { stdout } = await flags("list", "-e", "staging");
    expect(stdout).toMatch(/^cart +boolean +off +cart$/m);
    const { stdout: flag } = await flags("get", "colour");
    expect(flag).toContain('blue = "#11c", red = "#e33"');
    expect(flag).toMatch(/^production +off +blue$/m);
  });

  it("name the nearest key and environment of a typing error", async () => {
    const key = await flags("get", "color");
    expect(key).toMatchObject({ code: 1, stderr: expect.stringContaining("Did you mean colour?") });
    const environment = await flags("list", "-e", "stagin");
    expect(environment.stderr).toContain("Did you mean staging?");
  });
});

describe("flags clients", () => {
  it("proposes to hide a flag where an environment is protected, and types for browsers leave a hidden flag out", async () => {
    const dry = await flags("clients", "server", "cart", "--dry-run");
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing was changed") });
    expect((await flags("clients", "server", "cart")).stderr).toContain("Add --yes");
    const refused = await flags("clients", "server", "cart", "--yes");
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining("--propose") });
    const proposed = await flags("clients", "server", "cart", "--propose", "--json");
    expect(proposed.code).toBe(4);
    expect(printed(proposed).changeRequests).toHaveLength(1);
    expect((await flags("clients", "browsers", "cart")).code).toBe(64);
    expect((await flags("clients", "all", "cart")).stdout).toContain("like that already");
    const hidden = { key: "hidden", name: "Hidden", flagType: "RELEASE", clients: "server" };
    const { id } = await session.post<WithId>("/projects", { name: "Secret" });
    await session.post("/flags", { ...hidden, projectId: id });
    const inProject = ["--project", "Secret"];
    expect((await flags("list", "--clients", "server", ...inProject)).stdout).toContain("(server)");
    expect((await flags("types", ...inProject)).stdout).toContain('"hidden"');
    const types = await flags("types", "--clients", "browser", ...inProject);
    expect(types.stdout).not.toContain("hidden");
    expect((await flags("clients", "all", "hidden", ...inProject)).stdout).toContain("1 flag");
    const { flag } = printed(await flags("get", "hidden", ...inProject, "--json"));
    expect(flag.clients).toBe("all");
    await session.call("DELETE", `/projects/${id}`);
  });
});

describe("flags on, off and rollout", () => {
  it("change a flag once, with the reason in the audit trail", async () => {
    const on = ["on", "cart", "-e", "staging", "--reason", "Für alle", "--json"];
    expect(printed(await flags(...on))).toMatchObject({
      version: 1,
      changed: true,
      after: { enabled: true },
      moves: 1,
    });
    expect(await strategyOf("cart", "staging")).toMatchObject({ enabled: true });
    const { items } = await session.get<{ items: { reason: string }[] }>("/audit?size=1");
    expect(items[0]?.reason).toBe("Für alle");
    expect(printed(await flags(...on))).toMatchObject({ changed: false });
  });

  it("need --yes for production when nobody can answer", async () => {
    const run = await flags("on", "cart", "-e", "production");
    expect(run).toMatchObject({ code: 64, stderr: expect.stringContaining("--yes") });
    expect(await strategyOf("cart", "production")).toMatchObject({ enabled: false });
    expect((await flags("on", "cart", "-e", "production", "--yes")).code).toBe(0);
    expect(await strategyOf("cart", "production")).toMatchObject({ enabled: true });
  });

  it("show who would move, and change nothing with --dry-run", async () => {
    const rollout = ["rollout", "cart", "12.5", "-e", "staging"];
    const plan = await flags(...rollout, "--dry-run");
    expect(plan.stderr).toContain("cart in staging: percentage 100 → 12.5\n");
    expect(plan.stderr).toContain("At most 87.5 % of the users get another value.");
    expect(await strategyOf("cart", "staging")).toMatchObject({ exactPercentage: 100 });
    expect((await flags(...rollout)).code).toBe(0);
    expect(await strategyOf("cart", "staging")).toMatchObject({ exactPercentage: 12.5 });
    expect((await flags("off", "cart", "-e", "staging")).code).toBe(0);
    expect(await strategyOf("cart", "staging")).toMatchObject({ enabled: false });
  });

  it("exit with 4 in a protected environment, where --propose opens a change request", async () => {
    const on = ["on", "cart", "-e", "guarded"];
    const refused = await flags(...on);
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining("--propose") });
    const proposed = await flags(...on, "--propose", "--json");
    expect(proposed.code).toBe(4);
    const { changeRequest } = printed(proposed);
    expect(await session.get(`/change-requests/${changeRequest.id}`)).toMatchObject({
      status: "needs-approval",
    });
    expect(await strategyOf("cart", "guarded")).toMatchObject({ enabled: false });
    const repeated = printed(await flags(...on, "--propose", "--json"));
    expect(repeated.changeRequest).toEqual(changeRequest);
  });
});

describe("flags eval", () => {
  it("evaluates as the service does, and explains each step", async () => {
    const id = environments.get("production");
    const body = { name: "SDK", keyType: "SERVER", environmentId: id };
    const { apiKey } = await session.post<{ apiKey: string }>("/api-keys", body);
    const staff = { name: "Staff", constraints: [endsWith("@a.com")] };
    const { id: segmentId } = await session.post<WithId>("/segments", { ...staff, projectId });
    const flag = printed(await flags("get", "colour", "--json")).flag as WithId;
    await session.put(`/flags/${flag.id}/strategies`, {
      environmentId: id,
      enabled: true,
      percentage: 100,
      serve: { weights: { blue: 50, red: 50 } },
      rules: [
        { name: "Staff", segmentIds: [segmentId], percentage: 100, serve: { variant: "red" } },
      ],
    });
    for (const context of [
      { userId: "ann", email: "ann@a.com" },
      { userId: "ben", email: "ben@b.com" },
      { userId: "eve" },
    ]) {
      const response = await fetch(`${url}/api/client/evaluate`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${apiKey}` },
        body: JSON.stringify({ context }),
      });
      const { evaluations } = (await response.json()) as { evaluations: { colour: object } };
      const fields = Object.entries(context).flatMap(([field, value]) => [
        "-c",
        `${field}=${value}`,
      ]);
      const run = await flags("eval", "colour", "-e", "production", "--json", ...fields);
      expect(printed(run).verdict).toEqual(evaluations.colour);
    }
    const { stdout } = await flags("eval", "colour", "-e", "production", "-c", "email=ben@b.com");
    expect(stdout).toContain("requires cart: on (STATIC), holds");
    expect(stdout).toContain("rule 1 (Staff): a condition does not hold");
    expect(stdout).toContain('email endsWith @a.com: "ben@b.com", does not hold');
    const all = await flags("eval", "-e", "production", "--json", "-c", "userId=ann");
    expect(Object.keys(printed(all).verdicts)).toEqual(["cart", "colour"]);
  });
});

const endsWith = (end: string) => ({
  field: "email",
  operator: "endsWith",
  values: [end],
  contextType: "string",
});

describe("flags refs", () => {
  const repository = path.join(folder, "repository");
  const settings = () => ({
    FLAGS_URL: url,
    FLAGS_TOKEN: token,
    FLAGS_CONFIG: path.join(folder, "none.json"),
  });
  const refs = (...args: readonly string[]) =>
    runCli(["refs", ...args], { env: settings(), cwd: path.join(repository, "src") });

  beforeAll(() => {
    mkdirSync(path.join(repository, "src"), { recursive: true });
    const write = (file: string, text: string) => writeFileSync(path.join(repository, file), text);
    write(
      "src/good.ts",
      'client.getBooleanValue("cart", false);\nclient.getStringValue("colour", "");',
    );
    write("src/bad.py", 'client.get_boolean_value("colour", False)\nis_on("carts")\n');
    write("untracked.ts", 'client.getBooleanValue("untracked", false);');
    write(".flags.json", JSON.stringify({ project: "Web shop", aliases: ['is_on\\("([^"]+)"'] }));
    execFileSync("git", ["init", "--quiet"], { cwd: repository });
    execFileSync("git", ["add", "src", ".flags.json"], { cwd: repository });
  });

  it("finds unknown keys and wrong types in tracked files, and the lines of all references", async () => {
    const run = await refs("--json");
    expect(run.code).toBe(1);
    const { references, findings } = printed(run);
    expect(references.map((one: Place) => `${one.file}:${one.line} ${one.key}`)).toEqual([
      "src/bad.py:1 colour",
      "src/bad.py:2 carts",
      "src/good.ts:1 cart",
      "src/good.ts:2 colour",
    ]);
    expect(findings).toMatchObject([
      { rule: "wrong-type", file: "src/bad.py", line: 1, column: 26 },
      { rule: "unknown-flag", line: 2, message: "No flag has the key carts. Did you mean cart?" },
    ]);
  });

  it("prints SARIF and annotations, and succeeds for files without errors", async () => {
    const { runs } = printed(await refs("--sarif"));
    expect(runs[0].results).toHaveLength(2);
    expect((await refs("--github")).stdout).toContain(
      "::error file=src/bad.py,line=2,col=8,title=unknown-flag::",
    );
    expect(await refs("good.ts")).toMatchObject({
      code: 0,
      stdout: "2 references to 2 flags in 1 file, 0 errors.\n",
    });
  });
});

interface Place {
  readonly file: string;
  readonly line: number;
  readonly key: string;
}

describe("flags types", () => {
  const file = path.join(folder, "flags.ts");

  it("writes a type with which the compiler checks the keys and types of the SDK", async () => {
    expect((await flags("types", "-o", file, "--check")).code).toBe(2);
    expect((await flags("types", "-o", file)).code).toBe(0);
    expect((await flags("types", "-o", file, "--check")).code).toBe(0);
    const program = `import { createOfflineClient } from "@feature-flags/sdk";
      import type { Flags } from "./flags.ts";
      const client = createOfflineClient<Flags>({ cart: true });
      client.boolean("cart", false);
      client.string("colour", "");
      // @ts-expect-error no flag has this key
      client.boolean("carts", false);
      // @ts-expect-error the flag has texts
      client.boolean("colour", false);`;
    writeFileSync(path.join(folder, "program.ts"), program);
    const config = {
      extends: path.join(ROOT, "packages/cli/tsconfig.json"),
      compilerOptions: {
        types: [],
        paths: { "@feature-flags/sdk": [path.join(ROOT, "packages/sdk/dist/index.d.ts")] },
      },
      include: ["program.ts"],
    };
    writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = path.join(ROOT, "node_modules/.bin/tsc");
    execFileSync(tsc, ["-p", path.join(folder, "tsconfig.json")], { stdio: "inherit" });
  });

  it("writes the manifest that the service has for the OpenFeature CLI", async () => {
    const body = {
      name: "Manifest",
      keyType: "SERVER",
      environmentId: environments.get("staging"),
    };
    const { apiKey } = await session.post<{ apiKey: string }>("/api-keys", body);
    const response = await fetch(`${url}/api/openfeature/v0/manifest`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    });
    const manifest: unknown = await response.json();
    expect(JSON.parse((await flags("types", "--manifest")).stdout)).toEqual(manifest);
  });
});

it("flags watch prints a change when it happens", async () => {
  const watching = flags("watch", "--count", "1", "--json");
  const flag = printed(await flags("get", "cart", "--json")).flag as WithId;
  // A change may come before the program has read the newest audit record. So it is repeated.
  let changes = 0;
  const timer = setInterval(() => {
    void session.put(`/flags/${flag.id}`, { name: `Cart ${changes++}` });
  }, 1_000);
  const run = await watching;
  clearInterval(timer);
  expect(run.code).toBe(0);
  expect(printed(run).change).toMatchObject({ action: "flag.updated", entityId: flag.id });
});

describe("flags export, diff and apply", () => {
  const file = path.join(folder, "flags.yaml");
  const read = () => readFileSync(file, "utf8");
  const edit = (before: string, after: string) => {
    expect(read()).toContain(before);
    writeFileSync(file, read().replace(before, after));
  };
  let flagId: number;
  let places: Record<"staging" | "production" | "guarded", number>;

  beforeAll(async () => {
    const { id } = await session.post<WithId>("/projects", { name: "Files" });
    const environment = async (name: string) =>
      (await session.post<WithId>("/environments", { name, projectId: id })).id;
    places = {
      staging: await environment("staging"),
      production: await environment("production"),
      guarded: await environment("guarded"),
    };
    await session.put(`/environments/${places.production}`, { production: true });
    await db.exec(`UPDATE environments SET required_approvals = 1 WHERE id = ${places.guarded}`);
    // A boolean for readers of YAML 1.1, so the file has it in quotes.
    const flag = { key: "banner", name: "No", flagType: "RELEASE", projectId: id };
    ({ id: flagId } = await session.post<WithId>("/flags", flag));
    await set("production", { enabled: true, percentage: 10 });
  });

  const set = (environment: keyof typeof places, change: object) =>
    session.put(`/flags/${flagId}/strategies`, { environmentId: places[environment], ...change });

  it("write a file without differences to its project", async () => {
    expect((await flags("export", "-p", "Files", "-o", file)).code).toBe(0);
    expect(read()).toBe(`version: 1
project: Files
flags:
  banner:
    name: "No"
    flagType: RELEASE
    environments:
      production:
        enabled: true
        percentage: 10
`);
    expect(await flags("diff", file)).toMatchObject({
      code: 0,
      stdout: "The project is as the file says.\n",
    });
  });

  it("show changes with 2, and apply the reviewed plan and no other", async () => {
    edit("percentage: 10", "percentage: 25 # see OPS-1");
    edit("flags:\n", "flags:\n  cart: { name: Cart, flagType: KILLSWITCH }\n");
    const diff = await flags("diff", file, "--json");
    expect(diff.code).toBe(2);
    const { plan } = printed(diff);
    expect(plan.changes.map((one: { path: string }) => one.path).toSorted()).toEqual([
      "/flags/banner/environments/production/percentage",
      "/flags/cart",
    ]);
    const { stderr } = await flags("diff", file, "--github");
    expect(stderr).toContain(
      `::notice file=${file},line=11,col=9,title=/flags/banner/environments/production/percentage::10`,
    );
    expect((await flags("apply", file, "--plan", "another", "--yes")).code).toBe(3);
    expect((await flags("apply", file)).code).toBe(64);
    const applied = await flags("apply", file, "--plan", plan.id, "--yes", "--reason", "OPS-1");
    expect(applied).toMatchObject({ code: 0, stdout: "Applied 2 changes.\n" });
    expect((await flags("apply", file)).stdout).toBe("Nothing to change.\n");
    expect((await flags("diff", file)).code).toBe(0);
  });

  it("stop at a value that was changed elsewhere, until the file takes it or overwrites it", async () => {
    await set("production", { percentage: 30 });
    const conflict = await flags("apply", file, "--yes");
    expect(conflict.code).toBe(3);
    expect(conflict.stderr).toContain("the project has 30, the file 25");
    const diff = await flags("diff", file, "--github");
    expect(diff).toMatchObject({ code: 3, stderr: expect.stringContaining("--overwrite <path>") });
    expect(diff.stdout).toMatch(/\nflags apply changes nothing because of 1 conflict\.\n$/);
    expect((await flags("export", "--update", file)).code).toBe(0);
    expect(read()).toContain("percentage: 30 # see OPS-1");
    expect((await flags("diff", file)).code).toBe(0);
    await set("production", { percentage: 40 });
    const path40 = "/flags/banner/environments/production/percentage";
    const overwritten = await flags("apply", file, "--yes", "--overwrite", path40);
    expect(overwritten).toMatchObject({ code: 0, stdout: "Applied 1 change.\n" });
  });

  it("name the option of the program when the file lacks too many flags", async () => {
    const saved = read();
    writeFileSync(file, saved.replace(/  banner:[\s\S]*/, ""));
    const { code, stderr } = await flags("diff", file, "--prune");
    expect([code, stderr]).toEqual([1, expect.stringContaining("set --prune-limit to 1")]);
    writeFileSync(file, saved);
  });

  it("name the line of what the service refuses", async () => {
    const saved = read();
    edit("production:", "producton:");
    expect(await flags("diff", file)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/flags\.yaml:9:\d+ .*producton/),
    });
    writeFileSync(file, saved);
  });

  it("exit with 4 for a protected environment, and apply the others with --only", async () => {
    const saved = read();
    edit(
      "      production:",
      "      guarded: { enabled: true }\n      staging: { enabled: true }\n      production:",
    );
    const proposed = await flags("apply", file, "--yes", "--json");
    expect(proposed.code).toBe(4);
    const { changeRequest } = printed(proposed);
    expect(await session.get(`/change-requests/${changeRequest.id}`)).toMatchObject({
      status: "needs-approval",
    });
    const only = ["--only", "staging", "--only", "production"];
    expect((await flags("apply", file, "--yes", ...only)).code).toBe(0);
    const states = (
      await session.get<{ environmentId: number; enabled: boolean }[]>(
        `/flags/${flagId}/strategies`,
      )
    ).map(({ environmentId, enabled }) => [environmentId, enabled]);
    expect(new Map(states as [number, boolean][])).toEqual(
      new Map([
        [places.staging, true],
        [places.production, true],
        [places.guarded, false],
      ]),
    );
    writeFileSync(
      file,
      saved.replace("      production:", "      staging: { enabled: true }\n      production:"),
    );
  });

  it("create a flag off in a protected environment and open one request with --protected, also when repeated", async () => {
    const arrived = path.join(folder, "arrived.yaml");
    const on = "{ enabled: true }";
    writeFileSync(
      arrived,
      `version: 1\nproject: Files\nmanager: shop\nflags:\n  arrived:\n    name: Arrived\n    flagType: RELEASE\n    environments: { staging: ${on}, guarded: ${on} }\n`,
    );
    const diff = await flags("diff", arrived);
    expect(diff.stdout).toContain(`approval needed in guarded:
  --protected propose: applies 2 operations, and opens a change request with 1 other
  --protected skip: applies 2 operations, and leaves 1 other out`);
    expect(await flags("apply", arrived)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("Set --protected to propose"),
    });
    expect((await flags("apply", arrived, "--protected", "always")).code).toBe(64);
    const skipped = await flags("diff", arrived, "--protected", "skip");
    expect(skipped.stdout).not.toContain("guarded");
    const propose = ["apply", arrived, "--protected", "propose", "--json"];
    const first = await flags(...propose);
    expect(first.code).toBe(4);
    const { changeRequest } = printed(first);
    expect(changeRequest.url).toContain(`/change-requests/${changeRequest.id}`);
    expect(printed(await flags(...propose)).changeRequest).toEqual(changeRequest);
  });

  it("apply a folder in parts, and nothing the second time", async () => {
    const parts = path.join(folder, "parts");
    mkdirSync(parts);
    writeFileSync(path.join(parts, "a.yaml"), read());
    const head = "version: 1\nproject: Files\nflags:\n";
    writeFileSync(
      path.join(parts, "b.yaml"),
      `${head}  new-flag: { name: New, flagType: RELEASE }\n`,
    );
    const first = printed(await flags("apply", parts, "--parts", "--yes", "--json"));
    expect(first).toMatchObject({ applied: true, parts: 1, changes: 1 });
    const second = printed(await flags("apply", parts, "--parts", "--yes", "--json"));
    expect(second).toMatchObject({ applied: false, changes: 0 });
  });

  it("apply a file of several parts, all of which use a segment, and nothing when repeated", async () => {
    const { id } = await session.post<WithId>("/projects", { name: "Large" });
    const names = ["one", "two", "three"];
    for (const name of names) await session.post("/environments", { name, projectId: id });
    const values = Array.from({ length: 900 }, (_, n) => `${n}`.padEnd(200, "x"));
    const constraints = [{ field: "email", operator: "in", values }];
    const strategy = JSON.stringify({ enabled: true, segments: ["all"], constraints });
    const flag = (n: number) =>
      `large-${n}: { name: "${n}", flagType: RELEASE, environments: { one: ${n === 0 ? `&all ${strategy}` : "*all"}, two: *all, three: *all } }`;
    const large = path.join(folder, "large.yaml");
    writeFileSync(
      large,
      ["version: 1", "project: Large", "segments: { all: { constraints: [] } }", "flags:"]
        .concat(Array.from({ length: 7 }, (_, n) => `  ${flag(n)}`))
        .join("\n"),
    );
    const first = printed(await flags("apply", large, "--parts", "--yes", "--json"));
    expect(first).toMatchObject({ applied: true, parts: 2, changes: 8 });
    const second = printed(await flags("apply", large, "--parts", "--yes", "--json"));
    expect(second).toMatchObject({ applied: false, parts: 2, changes: 0 });
  });
});

describe("flags import", () => {
  const clauses = [{ attribute: "", op: "segmentMatch", values: ["beta"], contextKind: "user" }];
  const state = (on: boolean) => ({
    on,
    rules: [{ _id: "1", variation: 0, clauses }],
    fallthrough: { variation: 1 },
    offVariation: 1,
    prerequisites: [],
  });
  const ldFlag = (key: string, more: object = {}) => ({
    key,
    name: key,
    variations: [{ value: true }, { value: false }],
    environments: { production: state(true), test: state(false) },
    ...more,
  });
  const segments = (environment: string) => ({
    items: [{ key: "beta", included: ["ann"], rules: [] }],
    _links: { self: { href: `/api/v2/segments/shop/${environment}` } },
  });
  const paths = new Map<string, string>();

  beforeAll(() => {
    const write = (name: string, value: object) => {
      paths.set(name, path.join(folder, name));
      writeFileSync(path.join(folder, name), JSON.stringify(value));
    };
    write("flags.json", {
      items: [ldFlag("search"), ldFlag("gone", { variations: [{ value: 1 }, { value: "a" }] })],
    });
    write("production.json", segments("production"));
    write("test.json", segments("test"));
    write("flagd.json", {
      flags: { search: { state: "ENABLED", variants: { on: true }, defaultVariant: "on" } },
    });
  });

  const of = (name: string) => paths.get(name) ?? "";

  it("writes a file with the flags of several environments that flags apply takes, and the report", async () => {
    const { id } = await session.post<WithId>("/projects", { name: "Moved" });
    for (const name of ["live", "test"])
      await session.post("/environments", { name, projectId: id });
    const [output, report] = [path.join(folder, "moved.yaml"), path.join(folder, "report.json")];
    const documents = ["flags.json", "production.json", "test.json"].map(of);
    const targets = ["-e", "live=production", "-e", "test", "--project", "Moved"];
    const written = ["-o", output, "--report", report];
    const run = await flags("import", "launchdarkly", ...documents, ...targets, ...written);
    expect(run).toMatchObject({ code: 2, stderr: "" });
    expect(run.stdout).toMatch(/^search +exact$/m);
    expect(run.stdout).toMatch(/^gone +refused +has values of several types$/m);
    expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({
      flags: [{ result: "exact" }, { reasons: [{ code: "valueTypes" }] }],
    });
    expect((await flags("apply", output)).code).toBe(0);
    const get = printed(await flags("get", "search", "--project", "Moved", "--json"));
    expect(get.strategies).toMatchObject([
      { environmentName: "live", enabled: true, rules: [{ serve: { variant: "on" } }] },
      { environmentName: "test", enabled: false },
    ]);
  });

  it("prints the file, and exits with 0 if each flag is exact", async () => {
    const args = [of("flagd.json"), "-e", "production", "--project", "Shop", "--json"];
    const run = await flags("import", "flagd", ...args);
    expect(run.code).toBe(0);
    expect(printed(run)).toMatchObject({
      version: 1,
      file: { project: "Shop", flags: { search: { environments: { production: {} } } } },
      flags: [{ key: "search", result: "exact", reasons: [] }],
    });
  });

  it.each([
    ["a document of another service", 1, "no document of", ["unleash", "flagd.json", "-e", "a"]],
    ["an unknown environment", 1, "environment qa", ["launchdarkly", "flags.json", "-e", "qa"]],
    [
      "too many environments",
      64,
      "1 file with flags",
      ["flagd", "flagd.json", "-e", "a", "-e", "b"],
    ],
    ["no environment", 64, "--env", ["flagd", "flagd.json"]],
    ["an unknown service", 64, "unleash", ["split", "flagd.json", "-e", "a"]],
  ])("fails for %s", async (_, code, text, [service = "", name = "", ...args]) => {
    const run = await flags("import", service, of(name), ...args, "--project", "Shop");
    expect(run).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(text) });
  });
});

describe("the repository in examples/flags-as-code", () => {
  it("finds its flag in its code, and has nothing to change after its workflow has applied its file", async () => {
    const { id } = await session.post<WithId>("/projects", { name: "web-shop" });
    for (const name of ["staging", "production"])
      await session.post("/environments", {
        name,
        projectId: id,
        production: name === "production",
      });
    const cwd = path.join(ROOT, "examples/flags-as-code");
    const workflow = readFileSync(path.join(cwd, ".github/workflows/flags.yml"), "utf8");
    const step = async (command: string) => {
      const line = new RegExp(`- run: flags (${command} [^|\\n]*)`).exec(workflow)?.[1];
      if (line === undefined) throw new Error(`no step with flags ${command}`);
      const env = { FLAGS_URL: url, FLAGS_TOKEN: token, FLAGS_CONFIG: settingsFile };
      return runCli(
        line
          .trim()
          .replaceAll('"', "")
          .split(/ (?!github|\}\})/),
        { env, cwd },
      );
    };
    expect((await step("diff")).code).toBe(2);
    expect(await step("apply")).toMatchObject({ code: 0 });
    expect((await step("diff")).code).toBe(0);
    expect(await step("refs")).toMatchObject({ code: 0 });
    const { references } = printed(
      await runCli(["refs", "--json"], {
        env: { FLAGS_URL: url, FLAGS_TOKEN: token, FLAGS_CONFIG: settingsFile },
        cwd,
      }),
    );
    expect(references.map(({ key }: Place) => key)).toEqual(["checkout-button"]);
  });
});

describe("flags dev", () => {
  const file = path.join(folder, "dev.json");
  let local: string;
  let program: ReturnType<typeof startCli>;
  let apiKey: string;
  let content: DevFile;

  /** A file with a flag of the service, whose rule has an id of the service. */
  interface DevFile {
    readonly flags: {
      readonly layout: { readonly environments: { readonly live: Record<string, unknown> } };
    };
  }

  const post = async (address: string, at: string, body: object) => {
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${apiKey}` };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${address}${at}`, init);
    return { status: response.status, text: await response.text() };
  };

  const get = (address: string, at: string) =>
    fetch(`${address}${at}`, { headers: { Authorization: `Bearer ${apiKey}` } });

  const rules = async (address: string) => {
    const response = await get(address, "/api/client/features");
    return { text: await response.text(), digest: response.headers.get("X-Rules-Digest") };
  };

  beforeAll(async () => {
    const project = await session.post<WithId>("/projects", { name: "Dev" });
    const place = { projectId: project.id };
    const live = await session.post<WithId>("/environments", { name: "live", ...place });
    const key = { name: "SDK", keyType: "SERVER", environmentId: live.id };
    ({ apiKey } = await session.post<{ apiKey: string }>("/api-keys", key));
    const staff = { constraints: [endsWith("@a.com")] };
    const segment = await session.post<WithId>("/segments", { name: "Staff", ...staff, ...place });
    const values = {
      name: "Layout",
      flagType: "RELEASE",
      valueType: "json",
      variants: [
        { key: "wide", value: { columns: 3 } },
        { key: "narrow", value: { columns: 1 } },
      ],
      offVariant: "narrow",
    };
    await session.post("/flags", { key: "cart", name: "Cart", flagType: "KILLSWITCH", ...place });
    const prerequisites = [{ flagKey: "cart" }];
    const layout = { key: "layout", ...values, prerequisites, ...place };
    const { id } = await session.post<WithId>("/flags", layout);
    const strategy = {
      enabled: true,
      serve: { weights: { wide: 33.333, narrow: 66.667 } },
      constraints: [{ ...endsWith("x"), inverted: true }],
      stickiness: "accountId",
    };
    const rule = { name: "Staff", serve: { variant: "wide" } };
    const made = await session.put<{ rules: WithId[] }>(`/flags/${id}/strategies`, {
      environmentId: live.id,
      ...strategy,
      exactPercentage: 62.5,
      rules: [{ ...rule, segmentIds: [segment.id], exactPercentage: 100 }],
    });
    const own = { id: made.rules[0]?.id, ...rule, segments: ["Staff"] };
    const written = { ...strategy, percentage: 62.5, rules: [own] };
    content = {
      version: 1,
      project: "Dev",
      segments: { Staff: staff },
      flags: {
        cart: { name: "Cart", flagType: "KILLSWITCH" },
        layout: { ...values, prerequisites, environments: { live: written } },
      },
    } as DevFile;
    writeFileSync(file, JSON.stringify(content));
    program = startCli(["dev", file, "-e", "live", "--port", "0", "--json"]);
    const [line] = (await once(program.stdout, "data")) as [Buffer];
    ({ url: local } = JSON.parse(line.toString()) as { url: string });
  });

  afterAll(async () => {
    program.kill("SIGTERM");
    await once(program, "close");
  });

  it("serves the same bytes as the service after the same settings", async () => {
    expect(await rules(local)).toEqual(await rules(url));
    for (const [at, body] of [
      ["/api/client/evaluate", { context: { accountId: "ann" } }],
      ["/api/client/evaluate", { context: {}, toggles: ["layout", "unknown"] }],
      ["/api/ofrep/v1/evaluate/flags/layout", { context: { email: "b@a.com" } }],
      ["/ofrep/v1/evaluate/flags", { context: { accountId: "ben" } }],
    ] as const) {
      const [ours, theirs] = [await post(local, at, body), await post(url, at, body)];
      expect(ours).toEqual({ ...theirs, text: withoutService(theirs.text) });
    }
  });

  it("serves the manifest of the service for the OpenFeature CLI", async () => {
    const manifest = async (address: string) => {
      const response = await get(address, "/api/openfeature/v0/manifest");
      return [response.headers.get("X-Manifest-Capabilities"), await response.text()];
    };
    expect(await manifest(local)).toEqual(await manifest(url));
  });

  it("refuses what the service refuses, with the same status and code", async () => {
    for (const [at, body] of [
      ["/api/ofrep/v1/evaluate/flags/unknown", { context: {} }],
      ["/api/ofrep/v1/evaluate/flags/layout", {}],
      ["/api/client/evaluate", { context: 1 }],
    ] as const) {
      const [ours, theirs] = [await post(local, at, body), await post(url, at, body)];
      const codes = ({ text }: { text: string }) => {
        const { code, errorCode = "none" } = JSON.parse(text) as Record<string, string>;
        return at.includes("ofrep") ? [code, errorCode] : [code];
      };
      expect([ours.status, ...codes(ours)]).toEqual([theirs.status, ...codes(theirs)]);
    }
  });

  it("reads the file again after a change, keeps the rules after an error, tells clients, and has a delta for them", async () => {
    const since = (await get(local, "/api/client/features")).headers.get("X-Next-Since") ?? "";
    const response = await fetch(`${local}/api/client/stream?revision=1`);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe("retry: 1000\n\n");
    const errors = once(program.stderr, "data") as Promise<[Buffer]>;
    writeFileSync(file, "{");
    expect((await errors)[0].toString()).toContain("The rules stay as they are");
    const { live } = content.flags.layout.environments;
    live["enabled"] = false;
    writeFileSync(file, JSON.stringify(content));
    expect((await reader?.read())?.value).toBe('event: revision\nid: 2\ndata: {"revision":2}\n\n');
    await reader?.cancel();
    const changed = (JSON.parse((await rules(local)).text) as { key: string }[]).filter(
      ({ key }) => key === "layout",
    );
    expect(changed).toMatchObject([{ enabled: false }]);
    const delta = await get(local, `/api/client/features?since=${since}`);
    expect([delta.headers.get("X-Delta"), await delta.json()]).toEqual(["partial", changed]);
    expect((await get(local, "/api/client/features?since=never")).status).toBe(400);
  });

  it("serves one variant to everybody with --set", async () => {
    const second = startCli(["dev", file, "-e", "live", "--port", "0", "--set", "layout=wide"]);
    const [line] = (await once(second.stdout, "data")) as [Buffer];
    const [address = ""] = line.toString().split(" ");
    const { text } = await post(address, "/api/ofrep/v1/evaluate/flags/layout", { context: {} });
    expect(JSON.parse(text)).toMatchObject({ variant: "wide", reason: "STATIC" });
    second.kill("SIGTERM");
    expect(await once(second, "close")).toEqual([0, null]);
  });

  it.each([
    ["an environment that no flag has", ["-e", "liv"], "Did you mean live?"],
    ["a flag of --set that does not exist", ["-e", "live", "--set", "layou=wide"], "layout"],
    ["a variant of --set that does not exist", ["-e", "live", "--set", "layout=wid"], "wide"],
  ])("fails for %s", async (_, args, text) => {
    const run = await runCli(["dev", file, "--port", "0", ...args]);
    expect(run).toMatchObject({ code: 64, stderr: expect.stringContaining(text) });
  });
});

/** Replaces what a response of the service has of its own: the revision, the id, and the token. */
const withoutService = (text: string): string =>
  text
    .replace(/"revision":\d+/, '"revision":1')
    .replace(/"version":"\d+","flagSetId":"\d+"/, '"version":"1","flagSetId":"1"')
    .replace(/\?token=[^"]+/, "");

describe("the packed program in an empty folder", () => {
  const project = path.join(folder, "project");
  const installed = path.join(project, "node_modules/@feature-flags/cli");
  const run = (command: string, args: readonly string[], cwd: string) =>
    execFileSync(command, args, { cwd, encoding: "utf8" });

  beforeAll(() => {
    mkdirSync(project);
    writeFileSync(path.join(project, "package.json"), "{}");
    const pack = ["pack", "--silent", "--ignore-scripts", "--pack-destination", project];
    const archive = run("npm", pack, path.join(ROOT, "packages/cli")).trim();
    run("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${archive}`], project);
  });

  it("has at most 400 KB, no dependencies, and a command flags that runs", () => {
    const sizes = readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(path.join(entry.parentPath, entry.name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(400 * 1024);
    expect(readdirSync(path.join(project, "node_modules/@feature-flags"))).toEqual(["cli"]);
    const version = run(path.join(project, "node_modules/.bin/flags"), ["--version"], project);
    expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("loads at most 80 KB before it knows the command", () => {
    const files = new Set(["main.mjs"]);
    let size = 0;
    // The loop also visits the files that it adds.
    for (const file of files) {
      const text = readFileSync(path.join(installed, "dist", file), "utf8");
      size += text.length;
      for (const [, name = ""] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) files.add(name);
    }
    expect(files.size).toBeGreaterThan(1);
    expect(size).toBeLessThan(80 * 1024);
  });

  it("completes commands in bash", () => {
    const script = `source <(flags completion bash); COMP_WORDS=(flags lo); COMP_CWORD=1; _flags
      echo "\${COMPREPLY[@]}"`;
    const env = { ...process.env, PATH: `${project}/node_modules/.bin:${process.env["PATH"]}` };
    expect(execFileSync("bash", ["-c", script], { env, encoding: "utf8" })).toBe("login logout\n");
  });
});

describe("the exit code", () => {
  it.each([
    ["64 for an unknown option", 64, ["list", "--no-such-option"], {}],
    ["64 for an unknown command", 64, ["lst"], {}],
    ["64 without an address", 64, ["list"], { FLAGS_URL: "" }],
    ["64 for a percentage above 100", 64, ["rollout", "cart", "101", "-e", "staging"], {}],
    ["5 for a wrong token", 5, ["list"], { FLAGS_TOKEN: "ffpat_wrong" }],
    ["6 when nothing listens", 6, ["list"], { FLAGS_URL: "http://127.0.0.1:9" }],
  ])("is %s", async (_, code, args, variables) => {
    const settings = { FLAGS_URL: url, FLAGS_TOKEN: token, FLAGS_CONFIG: `${folder}/none.json` };
    const run = await runCli(args, { env: { ...settings, ...variables } });
    expect(run).toMatchObject({ code, stdout: "" });
    expect(run.stderr).toContain("error:");
  });
});

/** The last tests, because they add a project, and the others need none to be named. */
describe("flags cr", () => {
  const cr = (...args: readonly string[]) => flags("cr", ...args, "-p", "Cellar");
  let environmentId: number;
  let flagId: number;
  let approver: string;

  beforeAll(async () => {
    const { id } = await session.post<WithId>("/projects", { name: "Cellar" });
    const body = { name: "vault", projectId: id };
    ({ id: environmentId } = await session.post<WithId>("/environments", body));
    const flag = { key: "wine", name: "Wine", flagType: "RELEASE", projectId: id };
    ({ id: flagId } = await session.post<WithId>("/flags", flag));
    const on = { environmentId, enabled: true, percentage: 10 };
    await session.put(`/flags/${flagId}/strategies`, on);
    approver = await newApprover();
    await session.put(`/environments/${environmentId}/protection`, { requiredApprovals: 1 });
  });

  /** Inserts a developer with a token that approves. Returns the token. */
  async function newApprover(): Promise<string> {
    const user = await db
      .prepare(
        `INSERT INTO users (email, name, role, status, created_at)
          VALUES ('ben@example.com', 'Ben', 'DEVELOPER', 'ACTIVE', 1) RETURNING id`,
      )
      .first<WithId>();
    const made = newAccessToken("ffpat");
    await db
      .prepare(
        `INSERT INTO access_tokens (name, hash, preview, user_id, scopes, created_by, created_at, expires_at)
          VALUES ('cr', ?1, 'abcd', ?2, '["read","approve"]', ?2, ?3, ?4)`,
      )
      .bind(await sha256(made), user?.id ?? 0, Date.now(), Date.now() + 3_600_000)
      .run();
    return made;
  }

  const propose = async (percentage: string): Promise<string> => {
    const rollout = ["rollout", "wine", percentage, "-e", "vault", "-p", "Cellar"];
    const run = await flags(...rollout, "--propose", "--json");
    return String(printed(run).changeRequest.id);
  };

  it("lists and shows open change requests with what they change, and a repeated proposal is the open one", async () => {
    const id = await propose("33");
    expect(await propose("33")).toBe(id);
    const { changeRequests } = printed(await cr("list", "--json"));
    expect(changeRequests).toMatchObject([{ id: Number(id), status: "needs-approval" }]);
    const { stdout } = await cr("show", id);
    expect(stdout).toContain("needs-approval, 0 of 1 approvals");
    expect(stdout).toContain("strategy.set Wine in vault: percentage 10 → 33");
    expect(await cr("show")).toMatchObject({ code: 64 });
    expect(await cr("merge", id)).toMatchObject({ code: 64 });
    expect(await flags("cr", "show", id, "-p", "Web shop")).toMatchObject({ code: 1 });
  });

  it("exits with 4 without an approval, with 3 for another hash, and with 5 for an author who approves", async () => {
    const id = await propose("34");
    expect(await cr("wait", id, "--timeout", "0")).toMatchObject({ code: 4 });
    expect(await cr("apply", id)).toMatchObject({ code: 4 });
    for (const action of ["apply", "wait"])
      expect(await cr(action, id, "--hash", "other")).toMatchObject({ code: 3 });
    const unconfirmed = await cr("approve", id);
    expect(unconfirmed).toMatchObject({ code: 64, stderr: expect.stringContaining("--hash") });
    expect(await cr("approve", id, "--yes")).toMatchObject({ code: 5 });
  });

  it("approves, waits for and applies a change request, bound to its hash", async () => {
    const id = await propose("35");
    const { hash } = printed(await cr("show", id, "--json")).changeRequest;
    const bound = [id, "--hash", hash];
    const env = { FLAGS_URL: url, FLAGS_TOKEN: approver, FLAGS_CONFIG: `${folder}/none.json` };
    const args = ["cr", "approve", ...bound, "--comment", "Right", "-p", "Cellar"];
    expect(await runCli(args, { env })).toMatchObject({ code: 0 });
    expect(await cr("wait", ...bound)).toMatchObject({ code: 0 });
    expect(await cr("apply", ...bound)).toMatchObject({ code: 0 });
    const strategy = await session.get(`/flags/${flagId}/strategies/${environmentId}`);
    expect(strategy).toMatchObject({ percentage: 35 });
    expect(await cr("wait", id)).toMatchObject({ code: 0 });
    expect(await cr("apply", id)).toMatchObject({ code: 3 });
  });
});
