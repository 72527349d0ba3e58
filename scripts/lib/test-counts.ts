export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const NONE: Counts = { passed: 0, failed: 0, skipped: 0 };

/** The fields that this file reads of vitest's JSON report. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
}

/** The fields that this file reads of Playwright's JSON report. */
interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly flaky: number;
    readonly unexpected: number;
    readonly skipped: number;
  };
}

/** Counts of vitest's JSON report; zeros when there is no report. */
export function fromVitest(report: unknown): Counts {
  if (report === undefined) return NONE;
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = report as VitestReport;
  return {
    passed: numPassedTests,
    failed: numFailedTests,
    skipped: numPendingTests + numTodoTests,
  };
}

/** Counts of Playwright's JSON report; zeros when there is no report. A flaky test passed at the second try. */
export function fromPlaywright(report: unknown): Counts {
  if (report === undefined) return NONE;
  const { expected, flaky, unexpected, skipped } = (report as PlaywrightReport).stats;
  return { passed: expected + flaky, failed: unexpected, skipped };
}

/**
 * Counts of one part of the tests that exited with this code. A file or a suite that could not run is in
 * no report: a part that failed has at least one failure.
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

/** "12 passed, 0 failed", the form that `.ci/run` reads. */
export const summary = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
