export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const NONE: Counts = { passed: 0, failed: 0, skipped: 0 };

/** The fields of vitest's JSON report that are used here. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
}

/** The fields of Playwright's JSON report that are used here. */
interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly flaky: number;
    readonly unexpected: number;
    readonly skipped: number;
  };
}

/** Returns the test counts in vitest's JSON report; zeros if the report is missing. */
export function fromVitest(report: unknown): Counts {
  if (report === undefined) return NONE;
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = report as VitestReport;
  return {
    passed: numPassedTests,
    failed: numFailedTests,
    skipped: numPendingTests + numTodoTests,
  };
}

/**
 * Returns the test counts in Playwright's JSON report; zeros if the report is missing. A flaky
 * test, which passed in a retry, counts as passed.
 */
export function fromPlaywright(report: unknown): Counts {
  if (report === undefined) return NONE;
  const { expected, flaky, unexpected, skipped } = (report as PlaywrightReport).stats;
  return { passed: expected + flaky, failed: unexpected, skipped };
}

/**
 * Returns the test counts, with at least one failure when the exit code is not zero. A test file
 * that could not run is missing in the report, so the report may have no failure.
 */
export function withExitCode(counts: Counts, code: number): Counts {
  return code === 0 ? counts : { ...counts, failed: Math.max(counts.failed, 1) };
}

export function total(parts: readonly Counts[]): Counts {
  const sum = (of: (counts: Counts) => number) => parts.reduce((all, part) => all + of(part), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
  };
}

/** Returns the counts as text, such as "12 passed, 0 failed". `.ci/run` parses this form. */
export const summary = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
