import { describe, expect, it } from "vitest";
import { afterRestore } from "../../scripts/lib/after-restore.ts";

const FIRST = ["projects", "environments", "rule_changes", "api_keys", "sessions", "user_tokens"];

describe("the SQL after a restore", () => {
  it("has no statement on a table that the release of the backup did not have", async () => {
    const sql = await afterRestore(new Set([...FIRST, "change_requests"]));
    expect(sql).toContain("DELETE FROM sessions;");
    expect(sql).toContain("UPDATE sqlite_sequence");
    expect(sql).not.toMatch(/access_tokens|oauth_codes|ramps|change_requests/);
  });

  it("revokes tokens, closes change requests and pauses ramps of a release that has them", async () => {
    const later = ["access_tokens", "change_requests", "change_request_comments", "ramps"];
    const sql = await afterRestore(new Set([...FIRST, ...later]));
    for (const table of ["access_tokens", "change_requests", "ramps"])
      expect(sql).toContain(`\nUPDATE ${table} SET`);
    expect(sql).not.toContain("change_request_fields");
  });
});
