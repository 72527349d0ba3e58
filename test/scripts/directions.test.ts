import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const FIXTURES = "test/fixtures/directions";

it("the linter rejects every import of the fixtures that breaks the dependency rules between folders", () => {
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
  const rejected = diagnostics.map(({ filename, message }) => {
    const imported = /'([^']+)'/.exec(message)?.[1];
    return `${filename.replace(`${FIXTURES}/`, "")} imports ${imported}`;
  });
  expect(new Set(rejected)).toEqual(
    new Set([
      "dashboard/src/app/illegal.tsx imports ../../../packages/evaluation/src/rule.ts",
      "dashboard/src/app/illegal.tsx imports ../../../src/db/commit.ts",
      "dashboard/src/features/flag-list/illegal.tsx imports ../../../../src/db/schema/flags.ts",
      "dashboard/src/features/flag-list/illegal.tsx imports ../../app/Shell.tsx",
      "dashboard/src/features/flag-list/illegal.tsx imports ../tags/TagChip.tsx",
      "dashboard/src/shared/ui/illegal.tsx imports ../../../../src/app.ts",
      "dashboard/src/shared/ui/illegal.tsx imports ../../app/Shell.tsx",
      "dashboard/src/shared/ui/illegal.tsx imports ../../features/tags/TagChip.tsx",
      "packages/cli/src/illegal.ts imports ../../evaluation/src/rule.ts",
      "packages/cli/src/illegal.ts imports lodash",
      "packages/client-api/src/illegal.ts imports ../../evaluation/src/rule.ts",
      "packages/client-api/src/illegal.ts imports lodash",
      "packages/convert/src/illegal.ts imports ../../permissions/src/permissions.ts",
      "packages/convert/src/illegal.ts imports zod",
      "packages/evaluation/src/illegal.ts imports ../../../src/core/lib/digest.ts",
      "packages/evaluation/src/illegal.ts imports ../../permissions/src/permissions.ts",
      "packages/evaluation/src/illegal.ts imports lodash",
      "packages/evaluation/test/illegal.ts imports ../../../src/app.ts",
      "packages/file/src/illegal.ts imports ../../permissions/src/permissions.ts",
      "packages/file/src/illegal.ts imports zod",
      "packages/permissions/src/illegal.ts imports ../../evaluation/src/rule.ts",
      "packages/permissions/src/illegal.ts imports zod",
      "packages/sdk/src/illegal.ts imports ../../evaluation/src/rule.ts",
      "packages/sdk/src/illegal.ts imports lodash",
      "packages/sdk/src/illegal.ts imports node:fs",
      "packages/unleash/src/illegal.ts imports ../../convert/src/report.ts",
      "packages/unleash/src/illegal.ts imports zod",
      "scripts/illegal.ts imports ../dashboard/src/app/router.tsx",
      "scripts/illegal.ts imports ../packages/evaluation/src/rule.ts",
      "src/client/illegal.ts imports ../management/api-keys/ports.ts",
      "src/client/illegal.ts imports ../management/flags/queries.ts",
      "src/client/illegal.ts imports ../platform/deps.ts",
      "src/client/illegal.ts imports cloudflare:workers",
      "src/core/illegal.ts imports ../db/commit.ts",
      "src/core/illegal.ts imports drizzle-orm",
      "src/db/schema/illegal.ts imports ../../../packages/evaluation/src/rule.ts",
      "src/db/schema/illegal.ts imports ../../http/router.ts",
      "src/db/schema/illegal.ts imports hono",
      "src/http/illegal.ts imports ../db/commit.ts",
      "src/http/illegal.ts imports drizzle-orm",
      "src/illegal.ts imports ../packages/evaluation/src/rule.ts",
      "src/jobs/illegal.ts imports ../client/edge.ts",
      "src/jobs/illegal.ts imports ../management/flags/queries.ts",
      "src/jobs/illegal.ts imports ../management/flags/routes.ts",
      "src/jobs/illegal.ts imports ../management/strategies/service.ts",
      "src/jobs/illegal.ts imports ../platform/jobs.ts",
      "src/management/flags/service.ts imports ../../operations/actuator/routes.ts",
      "src/management/flags/service.ts imports ../../platform/deps.ts",
      "src/management/flags/service.ts imports ../projects/service.ts",
      "src/management/flags/service.ts imports hono",
      "src/model/flags/values.ts imports ../operations/read.ts",
      "src/model/flags/values.ts imports drizzle-orm",
      "src/management/illegal.ts imports ../operations/actuator/routes.ts",
      "src/changes/plan/flag-plan.ts imports ../../db/rows.ts",
      "src/changes/plan/flag-plan.ts imports ../../platform/deps.ts",
      "src/changes/plan/flag-plan.ts imports ../flags/queries.ts",
      "src/changes/plan/flag-plan.ts imports ./read.ts",
      "src/changes/plan/flag-plan.ts imports drizzle-orm",
      "src/model/tags/queries.ts imports ../../http/router.ts",
      "src/model/tags/queries.ts imports ../flags/service.ts",
      "src/model/tags/queries.ts imports ../operations/read.ts",
      "src/model/tags/queries.ts imports ../strategies/bulk-service.ts",
      "src/model/tags/queries.ts imports hono",
      "src/management/tags/routes.ts imports ../../jobs/relay.ts",
      "src/management/tags/routes.ts imports ../../operations/actuator/routes.ts",
      "src/management/tags/routes.ts imports ../flags/routes.ts",
      "src/management/tags/routes.ts imports cloudflare:workers",
      "src/mcp/illegal.ts imports ../db/commit.ts",
      "src/mcp/illegal.ts imports ../management/flags/queries.ts",
      "src/mcp/illegal.ts imports ../platform/mcp.ts",
      "src/operations/illegal.ts imports ../app.ts",
      "src/operations/illegal.ts imports ../management/flags/routes.ts",
      "src/platform/illegal.ts imports ../app.ts",
      "src/platform/illegal.ts imports ../management/flags/routes.ts",
      "test/core/illegal.ts imports ../../packages/evaluation/src/rule.ts",
    ]),
  );
  expect(lint.status).toBe(1);
});
