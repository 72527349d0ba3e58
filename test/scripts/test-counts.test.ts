import { describe, expect, it } from "vitest";
import {
  fromPlaywright,
  fromVitest,
  summary,
  total,
  withExitCode,
} from "../../scripts/lib/test-counts.ts";

describe("the test counts that npm test prints", () => {
  it("are read from vitest's report, with the names and errors of failed tests and the files that could not run", () => {
    const assertionResults = [
      {
        fullName: "a flag is on",
        status: "failed",
        failureMessages: [
          "AssertionError: \u001B[31mexpected false\u001B[39m\n- true\n    at flags.test.ts:5",
        ],
      },
      { fullName: "a flag is off", status: "passed" },
    ];
    const report = {
      numPassedTests: 5,
      numFailedTests: 1,
      numPendingTests: 2,
      numTodoTests: 1,
      testResults: [
        { name: "/flags.test.ts", status: "failed", assertionResults },
        { name: "/broken.test.ts", status: "failed", assertionResults: [] },
        { name: "/tags.test.ts", status: "passed", assertionResults: [] },
      ],
    };
    const failures = [
      "/flags.test.ts: a flag is on\n    AssertionError: expected false\n    - true",
      "/broken.test.ts",
    ];
    expect(fromVitest(report)).toEqual({ passed: 5, failed: 1, skipped: 3, failures });
  });

  it("are read from Playwright's report, where a flaky test counts as passed", () => {
    const stats = { expected: 4, flaky: 1, unexpected: 1, skipped: 3 };
    const spec = (title: string, ok: boolean) => ({
      file: "flags.test.ts",
      title,
      ok,
      tests: [{ results: [{ error: { message: "Error: not visible" } }] }],
    });
    const suites = [
      { specs: [spec("a flag is on", true)], suites: [{ specs: [spec("a flag is off", false)] }] },
    ];
    const failures = ["flags.test.ts: a flag is off\n    Error: not visible"];
    expect(fromPlaywright({ stats, suites })).toEqual({
      passed: 5,
      failed: 1,
      skipped: 3,
      failures,
    });
  });

  it("contain one failure when a test run fails without a report", () => {
    const counts = { passed: 0, failed: 1, skipped: 0, failures: [] };
    expect(withExitCode(fromVitest(undefined), 1)).toEqual(counts);
    expect(withExitCode(fromPlaywright(undefined), 1)).toEqual(counts);
  });

  it("have the number of failed tests in the report when the exit code is 1", () => {
    expect(withExitCode({ passed: 1, failed: 3, skipped: 0, failures: [] }, 1).failed).toBe(3);
  });

  it("are printed in the format that .ci/run reads", () => {
    const parts = [
      { passed: 2, failed: 0, skipped: 0, failures: [] },
      { passed: 3, failed: 1, skipped: 0, failures: ["flags.test.ts: a flag is on"] },
    ];
    expect(summary(total(parts))).toBe("5 passed, 1 failed");
    expect(summary({ passed: 5, failed: 0, skipped: 2 })).toBe("5 passed, 0 failed, 2 skipped");
  });
});
