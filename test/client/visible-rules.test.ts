import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { PERMISSIONS } from "@feature-flags/permissions/permissions";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../scripts/lib/processes.ts";
import { SURFACES } from "../../src/client/routes.ts";

// A FRONTEND key is public, so it must not learn of a flag that only servers get. `visibleRules` of
// src/client/edge/compiled-rules.ts chooses the rules for each route. A route that reads rules in another
// way would show hidden flags, so these tests read the sources and the routes.

const SOURCES = globSync("src/{client,platform}/**/*.ts", { cwd: ROOT }).map((file) => ({
  file: file.replaceAll(path.sep, "/"),
  text: readFileSync(path.join(ROOT, file), "utf8"),
}));

const filesWith = (pattern: RegExp): string[] =>
  SOURCES.flatMap(({ file, text }) => (pattern.test(text) ? file : [])).toSorted();

const RULE_SET = "src/client/rules/rule-set.ts";
const CHOICE = "src/client/edge/compiled-rules.ts";
const CACHE = "src/client/rules/rule-cache.ts";

describe("the sources of the client API", () => {
  it.each<[string, RegExp, string[]]>([
    ["the maps of compiled rules", /(?<!#)\b(?:b|publicB)yKey\b/, [CHOICE, RULE_SET]],
    ["the compiled rules of a set", /\.compiled\b/, [CHOICE, CACHE]],
    [
      "the flags that a report can name",
      /\.flags\(/,
      ["src/client/reports/usage.ts", "src/client/unleash/reports.ts"],
    ],
    [
      "the archived flags that a report can name",
      /\b(?:set|this)\.(?:a|publicA)rchivedKeys\b/,
      ["src/client/reports/usage.ts", RULE_SET],
    ],
    // Their routes need the permission `rules:read`, which a FRONTEND key does not have.
    [
      "the bytes of all rules",
      /\bset\.(?:bytes|text\(|rules\()/,
      ["src/client/features/features.ts", CACHE],
    ],
    ["the documents of Unleash", /\bset\.unleash\b/, [CACHE, "src/client/unleash/features.ts"]],
  ])("name %s only in the files that hide flags from a FRONTEND key", (_, pattern, files) => {
    expect(filesWith(pattern)).toEqual(files.toSorted());
  });
});

describe("the routes that a FRONTEND key can call", () => {
  it("are those that test/worker/client/hidden-flags.test.ts calls, or that read no rules", () => {
    const routes = SURFACES.flatMap((surface) => surface.routes)
      .filter(({ permission }) => PERMISSIONS[permission].keys.some((key) => key === "FRONTEND"))
      .map(({ operationId }) => operationId);
    expect([...new Set(routes)].toSorted()).toEqual([
      "evaluateFlags",
      "ofrepEvaluateFlag",
      "ofrepEvaluateFlags",
      "ofrepStream",
      "reportMetrics",
      "unleashFrontend",
      "unleashFrontendMetrics",
      "unleashFrontendPost",
      "unleashFrontendRegister",
    ]);
  });
});
