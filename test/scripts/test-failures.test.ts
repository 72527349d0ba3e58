import { describe, expect, it } from "vitest";
import { playwrightFailures, vitestFailures } from "../../scripts/lib/test-failures.ts";

describe("the names of failed tests that npm test prints", () => {
  it("are read from vitest's report, with the first line of the error", () => {
    const passed = { status: "passed", fullName: "a flag is read", failureMessages: [] };
    const failed = {
      status: "failed",
      fullName: "a flag is written",
      failureMessages: ["Error: expected 1 to be 2\n    at file.ts:3"],
    };
    const testResults = [
      { name: "flags.test.ts", status: "failed", message: "", assertionResults: [passed, failed] },
      { name: "other.test.ts", status: "failed", message: "no module x", assertionResults: [] },
      { name: "fine.test.ts", status: "passed", message: "", assertionResults: [passed] },
    ];
    expect(vitestFailures({ testResults })).toEqual([
      "flags.test.ts: a flag is written: Error: expected 1 to be 2",
      "other.test.ts: no module x",
    ]);
  });

  it("are read from Playwright's report, which nests suites, and tests that passed in a retry are marked", () => {
    const spec = (title: string, status: string) => ({
      title,
      file: "flags.test.ts",
      line: 7,
      tests: [{ status }],
    });
    const report = {
      suites: [
        { specs: [spec("one", "expected"), spec("two", "unexpected")] },
        { suites: [{ specs: [spec("three", "flaky")] }] },
      ],
    };
    expect(playwrightFailures(report)).toEqual([
      "flags.test.ts:7: two",
      "flags.test.ts:7: three: passed in a retry",
    ]);
  });

  it("are empty when the report is missing", () => {
    expect([...vitestFailures(undefined), ...playwrightFailures(undefined)]).toEqual([]);
  });
});
