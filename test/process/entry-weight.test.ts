import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, it } from "vitest";
import { buildDashboard } from "../../scripts/lib/dashboard.ts";
import { ROOT } from "../../scripts/lib/processes.ts";

const DIST = path.join(ROOT, "dashboard", "dist");
/** The maximum size of the JavaScript that loads before the first page, bytes after gzip. */
const LIMIT = 250_000;

beforeAll(buildDashboard);

const read = (file: string) => readFileSync(path.join(DIST, file), "utf8");
const weightOf = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + gzipSync(read(file)).length, 0);

/** Returns the script files that an HTML page names, and the files that these import statically. */
function scriptsOf(page: string): ReadonlySet<string> {
  const found = new Set(
    [...read(page).matchAll(/"\/(assets\/[^"]+\.js)"/g)].map(([, file = ""]) => file),
  );
  for (const file of found)
    for (const [, imported = ""] of read(file).matchAll(
      /(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g,
    ))
      found.add(`assets/${imported}`);
  return found;
}

it("The dashboard loads less than 250 kB of gzipped JavaScript, including one language, before its first page", () => {
  const assets = readdirSync(path.join(DIST, "assets"));
  const catalogues = assets.filter((file) => /^(?:en|de)-[^.]+\.js$/.test(file));
  expect(catalogues).toHaveLength(2);
  const words = Math.max(...catalogues.map((file) => weightOf([`assets/${file}`])));
  const scripts = scriptsOf("index.html");
  expect(scripts.size).toBeGreaterThan(0);
  expect(weightOf(scripts) + words).toBeLessThan(LIMIT);
});
