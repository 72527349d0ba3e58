import { describe, expect, it } from "vitest";
import {
  fromPlaywright,
  fromVitest,
  summary,
  total,
  withExitCode,
} from "../../scripts/lib/test-counts.ts";

describe("the test counts that npm test prints", () => {
  it("are read from vitest's report", () => {
    const report = { numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 };
    expect(fromVitest(report)).toEqual({ passed: 5, failed: 1, skipped: 3 });
  });

  it("are read from Playwright's report, where a flaky test counts as passed", () => {
    const stats = { expected: 4, flaky: 1, unexpected: 2, skipped: 3 };
    expect(fromPlaywright({ stats })).toEqual({ passed: 5, failed: 2, skipped: 3 });
  });

  it("contain one failure when a test run fails without a report", () => {
    expect(withExitCode(fromVitest(undefined), 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(withExitCode(fromPlaywright(undefined), 1)).toEqual(
      withExitCode(
        fromVitest({
          numPassedTests: 0,
          numFailedTests: 0,
          numPendingTests: 0,
          numTodoTests: 0,
        }),
        1,
      ),
    );
  });

  it("have the number of failed tests in the report when the exit code is 1", () => {
    expect(withExitCode({ passed: 1, failed: 3, skipped: 0 }, 1).failed).toBe(3);
  });

  it("are printed in the format that .ci/run reads", () => {
    const parts = [
      { passed: 2, failed: 0, skipped: 0 },
      { passed: 3, failed: 1, skipped: 0 },
    ];
    expect(summary(total(parts))).toBe("5 passed, 1 failed");
    expect(summary({ passed: 5, failed: 0, skipped: 2 })).toBe("5 passed, 0 failed, 2 skipped");
  });
});
