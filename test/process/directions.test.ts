import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const FIXTURES = "test/fixtures/directions";

it("an import against the folder directions is refused by the linter", () => {
  const lint = spawnSync(
    "node_modules/.bin/oxlint",
    ["-c", `${FIXTURES}/.oxlintrc.json`, "--format", "json", FIXTURES],
    { encoding: "utf8" },
  );
  const { diagnostics } = JSON.parse(lint.stdout) as {
    diagnostics: { code: string; filename: string; message: string }[];
  };
  const refused = diagnostics.map(({ code, filename, message }) => [
    code,
    filename.replace(`${FIXTURES}/src/`, ""),
    /'([^']+)'/.exec(message)?.[1],
  ]);
  const rule = "eslint(no-restricted-imports)";
  expect(refused.toSorted()).toEqual([
    [rule, "core/illegal.ts", "../db/commit.ts"],
    [rule, "core/illegal.ts", "drizzle-orm"],
    [rule, "management/flags/service.ts", "../../platform/deps.ts"],
    [rule, "management/flags/service.ts", "../projects/service.ts"],
    [rule, "management/flags/service.ts", "hono"],
  ]);
  expect(lint.status).toBe(1);
});
