// `npm start`, under the machine's Node: installs the packages, then continues under the Node from npm.
import { spawn } from "node:child_process";
import path from "node:path";
import { install } from "./install.mjs";

/** The major version of the `node` package in package.json. It runs TypeScript without a build. */
const NODE = 24;
const BIN = path.join(import.meta.dirname, "..", "node_modules", ".bin");
const ORPHAN_CHECK_MS = 200;

install();
stopWithoutParent();
if (Number.parseInt(process.versions.node, 10) >= NODE) {
  const { start } = await import("./start.ts");
  await start(process.argv.slice(2));
} else again();

function again() {
  const PATH = BIN + path.delimiter + process.env.PATH;
  const node = path.join(BIN, "node");
  const child = spawn(node, process.argv.slice(1), {
    stdio: "inherit",
    env: { ...process.env, PATH },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(`Cannot run ${node}: ${error.message}`);
    process.exitCode = 1;
  });
  child.on("exit", (code) => process.exit(code ?? 1));
}

/**
 * Stops this process when npm is gone, because some shells between npm and this process do not
 * forward signals.
 */
function stopWithoutParent() {
  if (process.env.npm_lifecycle_event !== "start") return;
  const parent = process.ppid;
  const check = () => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  };
  const timer = setInterval(check, ORPHAN_CHECK_MS).unref();
}
