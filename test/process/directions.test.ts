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
    return `${filename.replace(`${FIXTURES}/`, "")} imports ${imported}`;
  });
  expect(new Set(refused)).toEqual(
    new Set([
      "dashboard/src/app/illegal.tsx imports ../../../src/db/commit.ts",
      "dashboard/src/features/flags/illegal.tsx imports ../../../../src/db/schema/flags.ts",
      "dashboard/src/features/flags/illegal.tsx imports ../../app/Shell.tsx",
      "dashboard/src/features/flags/illegal.tsx imports ../tags/TagChip.tsx",
      "dashboard/src/shared/ui/illegal.tsx imports ../../../../src/app.ts",
      "dashboard/src/shared/ui/illegal.tsx imports ../../app/Shell.tsx",
      "dashboard/src/shared/ui/illegal.tsx imports ../../features/tags/TagChip.tsx",
      "src/core/illegal.ts imports ../db/commit.ts",
      "src/core/illegal.ts imports drizzle-orm",
      "src/jobs/illegal.ts imports ../client/edge.ts",
      "src/jobs/illegal.ts imports ../management/flags/queries.ts",
      "src/jobs/illegal.ts imports ../management/flags/routes.ts",
      "src/jobs/illegal.ts imports ../platform/jobs.ts",
      "src/management/flags/service.ts imports ../../platform/deps.ts",
      "src/management/flags/service.ts imports ../projects/service.ts",
      "src/management/flags/service.ts imports hono",
      "src/operations/illegal.ts imports ../app.ts",
      "src/operations/illegal.ts imports ../management/flags/routes.ts",
    ]),
  );
  expect(lint.status).toBe(1);
});
