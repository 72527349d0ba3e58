import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { olderReleaseWarning } from "../../scripts/lib/applied-migrations.ts";
import { ROOT } from "../../scripts/lib/processes.ts";

const own = readdirSync(path.join(ROOT, "migrations")).filter((name) => name.endsWith(".sql"));

it("a deployment of an older release warns that it does not enforce what the newer one has added", () => {
  expect(olderReleaseWarning([...own, "9999_approvals.sql"])).toMatch(
    /newer release \(9999_approvals\.sql\).*does not enforce/,
  );
});

it("a deployment of the same or a newer release gives no such warning", () => {
  expect(olderReleaseWarning(own)).toBeUndefined();
  expect(olderReleaseWarning(own.slice(0, 1))).toBeUndefined();
});
