import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const FIXTURES = "test/fixtures/directions";

it("an import against the folder directions is refused by the linter", () => {
  const lint = spawnSync(
    "node_modules/.bin/oxlint",
    ["-c", `${FIXTURES}/lint.json`, "--format", "json", FIXTURES],
    { encoding: "utf8" },
  );
  const { diagnostics } = JSON.parse(lint.stdout) as {
    diagnostics: { code: string; filename: string; message: string }[];
  };
  expect(new Set(diagnostics.map(({ code }) => code))).toEqual(
    new Set(["eslint(no-restricted-imports)"]),
  );
  const refused = diagnostics.map(({ filename, message }) => {
    const imported = /'([^']+)'/.exec(message)?.[1];
    return `${filename.replace(`${FIXTURES}/src/`, "")} imports ${imported}`;
  });
  expect(new Set(refused)).toEqual(
    new Set([
      "core/illegal.ts imports ../db/commit.ts",
      "core/illegal.ts imports drizzle-orm",
      "jobs/illegal.ts imports ../client/edge.ts",
      "jobs/illegal.ts imports ../management/flags/queries.ts",
      "jobs/illegal.ts imports ../platform/jobs.ts",
      "management/flags/service.ts imports ../../platform/deps.ts",
      "management/flags/service.ts imports ../projects/service.ts",
      "management/flags/service.ts imports hono",
      "operations/illegal.ts imports ../app.ts",
      "operations/illegal.ts imports ../management/flags/routes.ts",
    ]),
  );
  expect(lint.status).toBe(1);
});
