import { cpSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { unstable_readConfig as readConfig } from "wrangler";
import { buildDashboard } from "./dashboard.ts";
import { ROOT } from "./processes.ts";

const OUTPUT = path.join(ROOT, "dist", "pages");

interface Config {
  readonly assets?: { readonly run_worker_first?: readonly string[] };
}

/**
 * Builds the dashboard into the folder that `wrangler pages deploy` uploads (pages/wrangler.toml).
 * Returns the folder's path.
 */
export async function buildPages(): Promise<string> {
  await buildDashboard();
  rmSync(OUTPUT, { recursive: true, force: true });
  cpSync(path.join(ROOT, "dashboard", "dist"), OUTPUT, { recursive: true });
  // `_routes.json` lists the paths that Pages passes to the Worker: those of `run_worker_first`.
  const config = path.join(ROOT, "wrangler.toml");
  const { assets } = readConfig({ config }, { hideWarnings: true }) as Config;
  const routes = { version: 1, include: assets?.run_worker_first ?? [], exclude: [] };
  writeFileSync(path.join(OUTPUT, "_routes.json"), `${JSON.stringify(routes, null, 2)}\n`);
  return path.relative(ROOT, OUTPUT);
}
