import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { buildBundle } from "./service/bundle.ts";
import { SECRETS, startService } from "./service/runtime.ts";
import { migrate } from "./service/seed.ts";
import { median } from "./lib/statistics.ts";
import { Session } from "./lib/api.ts";
import { buildPackage } from "./lib/built-package.ts";
import { ROOT } from "./lib/processes.ts";
import { inOrder } from "./lib/in-order.ts";

// `npm run cli:nodes` packs the command line, installs it into an empty folder, and runs every command
// against the service on the local runtime, with each supported version of Node. It fails when a command
// exits with another code than expected, or prints its token. At the end, it measures the start.

const VERSIONS = ["20", "22", "24"];
const RUNS = 20;

const folder = mkdtempSync(path.join(tmpdir(), "feature-flags-cli-nodes-"));
const npm = (cwd: string, ...args: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
};

/** Installs the packed program and the versions of Node. */
async function install(): Promise<void> {
  await buildPackage("cli");
  writeFileSync(path.join(folder, "package.json"), "{}");
  const pack = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
  const archive = npm(path.join(ROOT, "packages/cli"), ...pack);
  const nodes = VERSIONS.map((version) => `node${version}@npm:node@${version}`);
  npm(folder, "install", "--no-audit", "--no-fund", `./${archive}`, ...nodes);
}

const nodeOf = (version: string) => path.join(folder, `node_modules/node${version}/bin/node`);
const PROGRAM = path.join(folder, "node_modules/@feature-flags/cli/dist/main.mjs");

const { modules } = await buildBundle(ROOT);
const service = await startService(ROOT, modules);
const url = `http://127.0.0.1:${service.ports[0]}`;

const inList = { in: [{ var: "country" }, ["de", "at"]] };
const clause = { attribute: "country", op: "in", values: ["de", "at"] };

/** A document of each service whose flags can be imported, with a flag for two countries. */
const DOCUMENTS = {
  unleash: {
    features: [
      {
        name: "a",
        enabled: true,
        strategies: [
          {
            name: "default",
            constraints: [{ contextName: "country", operator: "IN", values: ["de", "at"] }],
          },
        ],
      },
    ],
  },
  launchdarkly: {
    items: [
      {
        key: "a",
        variations: [{ value: true }, { value: false }],
        environments: {
          staging: {
            on: true,
            rules: [{ variation: 0, clauses: [clause] }],
            fallthrough: { variation: 1 },
            offVariation: 1,
          },
        },
      },
    ],
  },
  flagd: {
    flags: {
      a: {
        state: "ENABLED",
        variants: { on: true, off: false },
        defaultVariant: "off",
        targeting: { if: [inList, "on"] },
      },
    },
  },
};

/** A project with two flags, and what the program needs to use it. */
interface Shop {
  readonly version: string;
  readonly session: Session;
  readonly projectId: number;
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
}

async function newShop(version: string): Promise<Shop> {
  const { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password } = SECRETS;
  const session = await Session.open(url, { email, password });
  if (!session) throw new Error("The administrator cannot sign in");
  const name = `shop-${version}`;
  const { id: projectId } = await session.post<{ id: number }>("/projects", { name });
  for (const environment of ["staging", "guarded"])
    await session.post("/environments", { name: environment, projectId });
  for (const key of ["cart", "wish-list"])
    await session.post("/flags", { key, name: key, flagType: "RELEASE", projectId });
  const rights = { name, scopes: ["write"], projectIds: [projectId], currentPassword: password };
  const { token } = await session.post<{ token: string }>("/tokens", rights);
  const cwd = path.join(folder, name);
  mkdirSync(cwd);
  writeFileSync(path.join(cwd, "app.ts"), 'client.getBooleanValue("cart", false);\n');
  for (const [origin, document] of Object.entries(DOCUMENTS))
    writeFileSync(path.join(cwd, `${origin}.json`), JSON.stringify(document));
  for (const args of [
    ["init", "--quiet"],
    ["add", "app.ts"],
  ])
    spawnSync("git", args, { cwd });
  const FLAGS_CONFIG = path.join(cwd, "config.json");
  return {
    version,
    session,
    projectId,
    cwd,
    variables: { FLAGS_URL: url, FLAGS_TOKEN: token, FLAGS_CONFIG },
  };
}

/** A run of the program, with the exit code that it must have. */
interface Step {
  readonly args: string;
  readonly exit?: number;
  readonly input?: string;
  /** Without the token in the variables. */
  readonly isSignedOut?: boolean;
  readonly before?: () => void;
  /** What else happens, each second, while the program runs. */
  readonly meanwhile?: () => Promise<unknown>;
  /** What else happens when the program has printed a text that matches. */
  readonly on?: readonly [pattern: RegExp, then: (match: RegExpExecArray) => unknown];
}

/** The environment without the settings of the user who runs this script. */
const WITHOUT_FLAGS = {
  ...process.env,
  FLAGS_URL: undefined,
  FLAGS_TOKEN: undefined,
  FLAGS_PROJECT: undefined,
};

/** Runs the program, and returns what it has printed. Throws: an Error for another exit code. */
async function run({ version, cwd, variables }: Shop, step: Step): Promise<string> {
  const { args, exit = 0, input = "", isSignedOut = false, before, meanwhile, on } = step;
  before?.();
  const { FLAGS_TOKEN = "", FLAGS_CONFIG = "" } = variables;
  const env = { ...WITHOUT_FLAGS, ...(isSignedOut ? { FLAGS_CONFIG } : variables) };
  const child = spawn(nodeOf(version), [PROGRAM, ...args.split(" ")], { cwd, env });
  let seen = "";
  let isDone = on === undefined;
  const look = (part: Buffer) => {
    seen += part.toString();
    const match = on?.[0].exec(seen);
    if (isDone || !match || !on) return;
    isDone = true;
    on[1](match);
    if (args.startsWith("dev ")) child.kill("SIGTERM");
  };
  child.stdout.on("data", look);
  child.stderr.on("data", look);
  child.stdin.end(input);
  const timer = meanwhile && setInterval(() => void meanwhile(), 1000);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  clearInterval(timer);
  if (code !== exit || !isDone)
    throw new Error(`Node ${version}: flags ${args} exits with ${code}:\n${stdout}${stderr}`);
  if ((stdout + stderr).includes(FLAGS_TOKEN)) throw new Error(`flags ${args} prints its token`);
  return stdout;
}

/** Returns the runs of all commands, in an order in which each has something to do. */
function steps({ session, projectId, cwd, variables }: Shop): readonly Step[] {
  const file = path.join(cwd, "flags.yaml");
  const edit = () =>
    writeFileSync(file, readFileSync(file, "utf8").replace("percentage: 25", "percentage: 50"));
  const writeWrong = () =>
    writeFileSync(path.join(cwd, "wrong.yaml"), "version: 1\nproject: x\nflag: {}\n");
  return [
    { args: "--version" },
    { args: "--help" },
    { args: "nonsense", exit: 64 },
    { args: "list", exit: 64, isSignedOut: true },
    { args: `list --url ${url}`, exit: 5, isSignedOut: true },
    { args: "list --url http://127.0.0.1:9", exit: 6 },
    {
      args: `login --url ${url} --token-stdin`,
      input: `${variables["FLAGS_TOKEN"]}\n`,
      isSignedOut: true,
    },
    { args: "whoami", isSignedOut: true },
    { args: "logout", isSignedOut: true },
    {
      args: `login --url ${url} --profile device`,
      isSignedOut: true,
      on: [
        /confirm the code (\S+?)\./,
        ([, userCode]) => {
          const currentPassword = SECRETS.BOOTSTRAP_ADMIN_PASSWORD;
          return session.post("/auth/device/approve", { userCode, currentPassword });
        },
      ],
    },
    { args: "whoami --json" },
    { args: "list -e staging" },
    { args: "get cart" },
    { args: "get basket", exit: 1 },
    { args: "on cart -e staging --reason test" },
    { args: "on cart -e guarded", exit: 4 },
    { args: "on cart -e guarded --propose", exit: 4 },
    { args: "cr list" },
    { args: "cr show 1" },
    { args: "rollout cart 12.5 -e staging --dry-run" },
    { args: "rollout cart 12.5 -e staging" },
    { args: "off wish-list -e staging" },
    { args: "eval cart -e staging -c userId=ann" },
    {
      args: "watch --count 1 --json",
      meanwhile: () =>
        session.post("/tags", { name: crypto.randomUUID(), color: "#888888", projectId }),
    },
    { args: "refs" },
    { args: "refs --sarif" },
    { args: "types -o flags.ts" },
    { args: "types -o flags.ts --check" },
    { args: "types --manifest" },
    { args: "export -o flags.yaml" },
    { args: "diff flags.yaml" },
    { args: "apply flags.yaml" },
    { args: "rollout cart 25 -e staging" },
    { args: "diff flags.yaml", exit: 3 },
    { args: "apply flags.yaml", exit: 3 },
    { args: "export --update flags.yaml" },
    { args: "apply flags.yaml" },
    { args: "diff wrong.yaml", exit: 1, before: writeWrong },
    { args: "diff flags.yaml --github" },
    { args: "diff flags.yaml", exit: 2, before: edit },
    { args: "apply flags.yaml --plan wrong", exit: 3 },
    { args: "apply flags.yaml --parts" },
    ...Object.keys(DOCUMENTS).map((origin) => ({
      args: `import ${origin} ${origin}.json -e staging -p shop -o imported.yaml`,
    })),
    { args: "dev flags.yaml -e staging --port 0", on: [/serves staging/, () => undefined] },
    { args: "completion bash" },
    { args: "completion zsh" },
    { args: "completion fish" },
  ];
}

/** Returns the median time of a start, milliseconds. */
function startOf({ version, cwd, variables }: Shop, args: readonly string[]): number {
  const times = Array.from({ length: RUNS }, () => {
    const started = performance.now();
    spawnSync(nodeOf(version), [PROGRAM, ...args], {
      cwd,
      env: { ...WITHOUT_FLAGS, ...variables },
    });
    return performance.now() - started;
  });
  return median(times);
}

try {
  const db = await service.miniflare.getD1Database("DB");
  await migrate(db, ROOT);
  await install();
  const shops = await inOrder(VERSIONS, newShop);
  // The API refuses a protection while the administrator is the only user.
  await db.exec("UPDATE environments SET required_approvals = 1 WHERE name = 'guarded'");
  await inOrder(shops, async (shop) => {
    const list = steps(shop);
    await inOrder(list, (step) => run(shop, step));
    const node = spawnSync(nodeOf(shop.version), ["--version"], { encoding: "utf8" });
    console.log(`Node ${node.stdout.trim()}: ${list.length} runs have the expected exit codes`);
  });
  console.log(`Start, median of ${RUNS} runs, with a load of ${loadavg()[0]?.toFixed(1)}:`);
  for (const shop of shops) {
    const bare = startOf({ ...shop, cwd: folder }, ["--version"]);
    const listed = startOf(shop, ["list"]);
    console.log(
      `  Node ${shop.version}: --version ${bare.toFixed(0)} ms, list ${listed.toFixed(0)} ms`,
    );
  }
} finally {
  await service.miniflare.dispose();
  rmSync(folder, { recursive: true });
}
